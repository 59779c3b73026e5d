"""The rules of tools/check, each on a small tree of its own that breaks it. usage: check_test.py TOOLS_CHECKS_DIR"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKS = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "tools/checks").resolve()
sys.path.insert(0, str(CHECKS))

import house  # noqa: E402
import members  # noqa: E402
from tree import Tree  # noqa: E402

ARROWS = "shm: base | segment\nengine: data | team\n"
LIMITS = "limit 5 lines\nlimit 2 files\nlimit 3 members\n"


class House(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        self.git("init", "--quiet", "--initial-branch=main")
        self.write("tools/checks/arrows.txt", ARROWS)
        self.write("tools/checks/limits.txt", LIMITS)

    def git(self, *arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", "-C", self.root, *identity, *arguments], check=True)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, subject):
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)

    def findings(self, rule):
        return house.RULES[rule](Tree(self.root))[0]

    def assert_only(self, rule, *words):
        findings = self.findings(rule)
        self.assertEqual(len(findings), 1, findings)
        for word in words:
            self.assertIn(word, findings[0])


class Arrows(House):
    def test_down_is_allowed(self):
        self.write("engine/team/a.hpp", '#include "engine/data/b.hpp"\n#include "shm/segment/c.hpp"\n')
        self.write("engine/team/d.hpp", '#include "engine/team/a.hpp"\n')
        self.assertEqual(self.findings("arrows"), [])

    def test_up_is_not(self):
        self.write("shm/base/a.cpp", '\n  #  include "shm/segment/b.hpp"\n')
        self.assert_only("arrows", "shm/base/a.cpp:2", "shm/base includes shm/segment")

    def test_nor_to_a_neighbour(self):
        self.write("tools/checks/arrows.txt", "engine: data progress\n")
        self.write("engine/data/a.cpp", '#include "engine/progress/b.hpp"\n')
        self.assert_only("arrows", "engine/data includes engine/progress")

    def test_a_room_must_be_in_the_table(self):
        self.write("engine/attic/a.cpp", '#include "engine/data/b.hpp"\n')
        self.assert_only("arrows", "engine/attic is in no line")

    def test_what_is_to_go_may_stay_but_not_grow(self):
        self.write("tools/checks/arrows.txt", ARROWS + "engine/data -> engine/team 1  # why\n")
        self.write("engine/data/a.cpp", '#include "engine/team/b.hpp"\n')
        self.assertEqual(self.findings("arrows"), [])
        self.write("engine/data/c.cpp", '#include "engine/team/b.hpp"\n')
        self.assertEqual(len(self.findings("arrows")), 2)

    def test_what_has_gone_leaves_the_table(self):
        self.write("tools/checks/arrows.txt", ARROWS + "engine/data -> engine/team 2\n")
        self.assert_only("arrows", "it is gone: remove the line")
        self.write("engine/data/a.cpp", '#include "engine/team/b.hpp"\n')
        self.assert_only("arrows", "1 of its includes are left")


class Sizes(House):
    def test_long_files(self):
        self.write("engine/a.cpp", "\n" * 5)
        self.write("tests/a.cpp", "\n" * 9)
        self.write("perf/a.cpp", "\n" * 9)
        self.assertEqual(self.findings("files"), [])
        self.write("engine/a.cpp", "\n" * 6)
        self.assert_only("files", "engine/a.cpp: 6 lines, at most 5")

    def test_scripts_are_files(self):
        self.write("tools/run", "#!/bin/sh\n" + "\n" * 5)
        self.assert_only("files", "tools/run: 6 lines")

    def test_the_ratchet(self):
        self.write("tools/checks/limits.txt", LIMITS + "engine/a.cpp 7 lines\n")
        self.write("engine/a.cpp", "\n" * 7)
        self.assertEqual(self.findings("files"), [])
        self.write("engine/a.cpp", "\n" * 8)
        self.assert_only("files", "8 lines, at most 5 (it was 7)")
        self.write("engine/a.cpp", "\n" * 5)
        self.assert_only("files", "remove the line")
        (self.root / "engine/a.cpp").unlink()
        self.assert_only("files", "remove the line")

    def test_the_ratchet_asks_for_the_smaller_size(self):
        self.write("tools/checks/limits.txt", LIMITS + "engine/a.cpp 9 lines\n")
        self.write("engine/a.cpp", "\n" * 7)
        self.assertIn("engine/a.cpp 7 of 9", house.RULES["files"](Tree(self.root))[1])

    def test_full_folders(self):
        self.write("api/a.cpp", "")
        self.write("api/a.hpp", "")
        self.write("api/table.tsv", "")
        self.write("api/room/b.hpp", "")
        self.assertEqual(self.findings("folders"), [])
        self.write("api/c.c", "")
        self.assert_only("folders", "api: 3 files, at most 2")

    def test_large_classes(self):
        self.write("shm/a.hpp", "struct A { int a, b; int c; int d; };")
        self.assertEqual(self.findings("classes"), [])
        self.write("shm/a.hpp", "struct A { int a; int b; int c; int d() { return 1; } };")
        self.assert_only("classes", "shm/a.hpp:A: 4 members, at most 3")


class Members(unittest.TestCase):
    def count(self, body, kind="class"):
        return members.public_members(f"namespace n {{ {kind} A {{ {body} }}; }}")["A"]

    def test_access(self):
        self.assertEqual(self.count("int a; void f();"), 0)
        self.assertEqual(self.count("int a; void f();", "struct"), 2)
        self.assertEqual(self.count("int a; public: void f(); int g; private: int h; public: int i;"), 3)

    def test_bodies_and_initializers_are_one_member(self):
        self.assertEqual(self.count("A() : a_{1}, b_{2} { if (x) { y(); } } ~A() {} int a{3}; "
                                    "int f() const { return a; } int b = 4;", "struct"), 5)

    def test_types_friends_and_comments_are_none(self):
        self.assertEqual(self.count("struct B { int a; int b; }; enum class C { x, y }; using D = int; friend E; "
                                    "static_assert(true); // int c;\n/* int d; */ int e;", "struct"), 1)

    def test_strings_hide_nothing(self):
        self.assertEqual(self.count('const char* a = "};"; char b = \'}\'; int c;', "struct"), 3)

    def test_templates_and_bases(self):
        counts = members.public_members("template <class T> class alignas(64) A final : public B<T>, C { public: "
                                        "template <class U> void f(U); };")
        self.assertEqual(counts, {"A": 1})


class Words(House):
    def test_mpi(self):
        self.write("api/a.cpp", "MPI_Init(0, 0);")
        self.assertEqual(self.findings("mpi-words"), [])
        self.write("kernels/a.cpp", "\n// as PMPI_Barrier does")
        self.assert_only("mpi-words", "kernels/a.cpp:2")

    def test_atomics(self):
        self.write("shm/sync/a.hpp", "std::atomic<int> a;")
        self.write("engine/b.hpp", 'asm volatile("pause");')
        self.assertEqual(self.findings("atomics"), [])
        for text in ("std::atomic<int> a;", "std::memory_order_relaxed", "volatile int a;", "__atomic_load_n(p, 0)"):
            self.write("engine/a.cpp", text)
            self.assert_only("atomics", "engine/a.cpp:1")

    def test_marks(self):
        self.write("tests/a.cpp", "// nothing left TO DO")
        self.assertEqual(self.findings("marks"), [])
        for text in ("// " + "TODO: more", "TEST(A, " + "DISABLED_b) {}", "<" * 7 + " HEAD"):
            self.write("tests/a.cpp", text)
            self.assert_only("marks", "tests/a.cpp:1")


class Links(House):
    def test_to_files_and_folders(self):
        self.write("engine/team/a.md", "[b](b.hpp), [engine](..#top), [top](../../README.md), [web](https://a.b/c)")
        self.write("engine/team/b.hpp", "")
        self.write("README.md", "")
        self.assertEqual(self.findings("links"), [])

    def test_to_nowhere(self):
        self.write("engine/a.md", "\n[b](engine/b.hpp)")
        self.write("engine/b.hpp", "")
        self.assert_only("links", "engine/a.md:2", "engine/b.hpp leads nowhere")


class Subjects(House):
    def test_good_ones(self):
        self.commit("engine/team: " + "x" * 59)
        self.commit("README, ARCHITECTURE: rooms")
        self.assertEqual(self.findings("subjects"), [])

    def test_long_ones(self):
        self.commit("engine/team: " + "x" * 60)
        self.assert_only("subjects", "73 characters, at most 72")

    def test_without_room(self):
        self.commit("Things are better now")
        self.assert_only("subjects", "begins with no room")


class Command(House):
    def test_exit_status(self):
        def code():
            return subprocess.run([sys.executable, CHECKS / "house.py", "mpi-words", self.root],
                                  stdout=subprocess.DEVNULL).returncode

        self.assertEqual(code(), 0)
        self.write("shm/base/a.cpp", "MPI_INT")
        self.assertEqual(code(), 1)

    def test_untracked_files_count_and_ignored_ones_do_not(self):
        self.write(".gitignore", "/build/\n")
        self.write("build/shm/a.cpp", "MPI_INT")
        self.write("shm/base/a.cpp", "MPI_INT")
        self.assertEqual(len(self.findings("mpi-words")), 1)


if __name__ == "__main__":
    unittest.main()
