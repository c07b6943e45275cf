"""The catalogues of languages are compiled whenever the program is built or installed."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithLanguages(build_py):
    """Compiles each catalogue beside its source before the files are gathered."""

    def run(self) -> None:
        """Compile, then build."""
        for catalogue in Path(__file__).parent.glob("ui/locale/*/LC_MESSAGES/*.po"):
            with catalogue.open("rb") as said, catalogue.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(said))
        super().run()


setup(cmdclass={"build_py": BuildWithLanguages})
