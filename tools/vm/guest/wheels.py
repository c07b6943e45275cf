"""`wheels.py FOLDER`: the packages of the virtual environment that runs this, as wheels; the machine has no network."""

import sys
import sysconfig
import zipfile
from importlib.metadata import distributions
from pathlib import Path


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for package in distributions(path=[sysconfig.get_path("purelib")]):
        tags = [line.split()[1] for line in package.read_text("WHEEL").splitlines() if line.startswith("Tag:")]
        kinds = [".".join(dict.fromkeys(parts)) for parts in zip(*(tag.split("-") for tag in tags), strict=True)]
        name = package.metadata["Name"].replace("-", "_").replace(".", "_")
        with zipfile.ZipFile(folder / f"{name}-{package.version}-{'-'.join(kinds)}.whl", "w") as wheel:
            for file in package.files:
                # what is outside is made anew as it is installed
                if ".." not in file.parts and file.suffix != ".pyc" and file.name not in ("INSTALLER", "REQUESTED"):
                    wheel.write(file.locate(), str(file))


if __name__ == "__main__":
    main()
