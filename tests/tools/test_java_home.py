"""The launcher of Java is complete at any time, since several processes create and start it."""

from __future__ import annotations

from pathlib import Path

from tools.java_home import home_of_launcher


def test_an_equal_launcher_is_not_written_again_and_another_is_replaced_at_once(tmp_path: Path) -> None:
    launcher = home_of_launcher(tmp_path / "java-21", tmp_path / "home") / "bin" / "java"
    first = launcher.stat()
    home_of_launcher(tmp_path / "java-21", tmp_path / "home")
    assert (launcher.stat().st_ino, launcher.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)
    with launcher.open() as running:
        home_of_launcher(tmp_path / "java-25", tmp_path / "home")
        assert "java-21" in running.read()
    assert "java-25" in launcher.read_text()
    assert launcher.stat().st_mode & 0o111 == 0o111
    assert [path.name for path in launcher.parent.iterdir()] == ["java"]
