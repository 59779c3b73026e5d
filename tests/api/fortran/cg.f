C Conjugate gradients for the matrix of the second difference, in
C Fortran 77. Rows are shared out among the ranks; a vector is whole on
C every rank, and its parts meet in reductions, as scalar products do.
      PROGRAM CG
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER N, STEPS
      PARAMETER (N=400, STEPS=410)
      DOUBLE PRECISION X(N), R(N), P(N), Q(N), RHO, OLD, ALPHA, ERROR
      DOUBLE PRECISION DOT
      INTEGER IERR, RANK, RANKS, FIRST, LAST, I, K
      COMMON /SLICE/ FIRST, LAST
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
      FIRST = N * RANK / RANKS + 1
      LAST = N * (RANK + 1) / RANKS
C     The solution is X(I) = I.
      DO 10 I = 1, N
        X(I) = I
   10 CONTINUE
      CALL MATVEC(N, X, R)
      DO 20 I = 1, N
        X(I) = 0
        P(I) = R(I)
   20 CONTINUE
      RHO = DOT(N, R, R)
      DO 50 K = 1, STEPS
        IF (RHO .LT. 1D-22) GOTO 60
        CALL MATVEC(N, P, Q)
        ALPHA = RHO / DOT(N, P, Q)
        DO 30 I = 1, N
          X(I) = X(I) + ALPHA * P(I)
          R(I) = R(I) - ALPHA * Q(I)
   30   CONTINUE
        OLD = RHO
        RHO = DOT(N, R, R)
        DO 40 I = 1, N
          P(I) = R(I) + RHO / OLD * P(I)
   40   CONTINUE
   50 CONTINUE
   60 ERROR = 0
      DO 70 I = 1, N
        ERROR = MAX(ERROR, ABS(X(I) - I))
   70 CONTINUE
      IF (RANK .EQ. 0) PRINT '(I0,A,I0,A,1PE8.1)', K - 1, ' steps on ',
     &  RANKS, ' ranks, error ', ERROR
      CALL MPI_FINALIZE(IERR)
      IF (.NOT. ERROR .LE. 1D-7) STOP 1
      END

C Y = A X, of which every rank computes its rows.
      SUBROUTINE MATVEC(N, X, Y)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER N, FIRST, LAST, I, IERR
      DOUBLE PRECISION X(N), Y(N)
      COMMON /SLICE/ FIRST, LAST
      DO 10 I = 1, N
        Y(I) = 0
   10 CONTINUE
      DO 20 I = FIRST, LAST
        Y(I) = 2 * X(I)
        IF (I .GT. 1) Y(I) = Y(I) - X(I-1)
        IF (I .LT. N) Y(I) = Y(I) - X(I+1)
   20 CONTINUE
      CALL MPI_ALLREDUCE(MPI_IN_PLACE, Y, N, MPI_DOUBLE_PRECISION,
     &                   MPI_SUM, MPI_COMM_WORLD, IERR)
      END

      DOUBLE PRECISION FUNCTION DOT(N, X, Y)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER N, FIRST, LAST, I, IERR
      DOUBLE PRECISION X(N), Y(N), PART
      COMMON /SLICE/ FIRST, LAST
      PART = 0
      DO 10 I = FIRST, LAST
        PART = PART + X(I) * Y(I)
   10 CONTINUE
      CALL MPI_ALLREDUCE(PART, DOT, 1, MPI_DOUBLE_PRECISION, MPI_SUM,
     &                   MPI_COMM_WORLD, IERR)
      END
