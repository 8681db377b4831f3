"""List the bundled Python libraries with their licences: `python notices.py FOLDER`."""

import sys
from email.message import Message
from importlib.metadata import Distribution, distributions


def licence(metadata: Message) -> str:
    """Return what a distribution says of its licence: an expression, or its classifiers."""
    stated = metadata.get("License-Expression")
    if stated is None:
        prefix = "License :: OSI Approved :: "
        classifiers = metadata.get_all("Classifier", [])
        stated = ", ".join(c.removeprefix(prefix) for c in classifiers if c.startswith(prefix))
    return stated or metadata.get("License") or "see its metadata"


def main(folder: str) -> None:
    """Print one line a library."""
    print("Boildown for Visual Studio Code carries these Python libraries, each unchanged,")
    print("with the text of its licence in its .dist-info folder under bundled/libs:\n")

    def name(distribution: Distribution) -> str:
        return distribution.metadata["Name"].lower()

    for library in sorted(distributions(path=[folder]), key=name):
        print(f"{name(library)} {library.version}: {licence(library.metadata)}")
    print()


if __name__ == "__main__":
    main(sys.argv[1])
