C The product of a vector and a matrix whose rows are shared out among
C the ranks of an MPI job, as vector_matrix.c computes it, in
C Fortran 77. Every rank gets the product, by MPI_ALLREDUCE.
C
C   mpif77 vector_matrix.f -o vector_matrix
C   mpiexec -n 4 ./vector_matrix
      PROGRAM VECMAT
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER M, N
      PARAMETER (M=1000, N=700)
      DOUBLE PRECISION A(M), B(M,N), C(N), ALONE(N)
      INTEGER IERR, RANK, RANKS, FIRST, LAST, WRONG, J
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
C     The rows of this rank.
      FIRST = M * RANK / RANKS
      LAST = M * (RANK + 1) / RANKS
      CALL FILL(FIRST, LAST - FIRST, N, A, B, M)
      CALL PARMUL(LAST - FIRST, N, A, B, M, C, MPI_COMM_WORLD)
      CALL FILL(0, M, N, A, B, M)
      CALL MULTIP(M, N, A, B, M, ALONE)
      WRONG = 0
      DO 10 J = 1, N
        IF (C(J) .NE. ALONE(J)) WRONG = WRONG + 1
   10 CONTINUE
      IF (RANK .EQ. 0) CALL REPORT(M, N, RANKS, C, WRONG)
      CALL MPI_FINALIZE(IERR)
      IF (WRONG .GT. 0) STOP 1
      END

C Rows FIRST + 1 to FIRST + ROWS. Small multiples of 1/4: sums of their
C products are exact, in whatever order they are added.
      SUBROUTINE FILL(FIRST, ROWS, N, A, B, LDB)
      IMPLICIT NONE
      INTEGER FIRST, ROWS, N, LDB, I, J, R
      DOUBLE PRECISION A(*), B(LDB,*)
      DO 10 I = 1, ROWS
        R = FIRST + I - 1
        A(I) = (MOD(R * 7, 23) - 11) / 4.0D0
   10 CONTINUE
      DO 30 J = 1, N
        DO 20 I = 1, ROWS
          R = FIRST + I - 1
          B(I,J) = (MOD(R*5 + (J-1)*3 + R*(J-1), 31) - 15) / 4.0D0
   20   CONTINUE
   30 CONTINUE
      END

      SUBROUTINE MULTIP(ROWS, N, A, B, LDB, C)
      IMPLICIT NONE
      INTEGER ROWS, N, LDB, I, J
      DOUBLE PRECISION A(*), B(LDB,*), C(*)
      DO 20 J = 1, N
        C(J) = 0
        DO 10 I = 1, ROWS
          C(J) = C(J) + A(I) * B(I,J)
   10   CONTINUE
   20 CONTINUE
      END

C Collective over COMM.
      SUBROUTINE PARMUL(ROWS, N, A, B, LDB, C, COMM)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER ROWS, N, LDB, COMM, IERR
      DOUBLE PRECISION A(*), B(LDB,*), C(*), PART(N)
      CALL MULTIP(ROWS, N, A, B, LDB, PART)
      CALL MPI_ALLREDUCE(PART, C, N, MPI_DOUBLE_PRECISION, MPI_SUM,
     &                   COMM, IERR)
      END

      SUBROUTINE REPORT(M, N, RANKS, C, WRONG)
      IMPLICIT NONE
      INTEGER M, N, RANKS, WRONG
      DOUBLE PRECISION C(N)
      PRINT '(A,I0,A,I0,A,I0,A,F0.4,A,F0.4)', 'product ', M,
     &  ' rows on ', RANKS, ' ranks, ', N, ' columns: ', C(1),
     &  ', ..., ', C(N)
      IF (WRONG .EQ. 0) THEN
        PRINT '(A,I0,A)', 'check   ok   all ', N,
     &    ' elements equal the serial product'
      ELSE
        PRINT '(A,I0,A,I0,A)', 'check   FAIL ', WRONG, ' of ', N,
     &    ' elements differ from the serial product'
      END IF
      END
