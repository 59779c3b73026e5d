"""Links of the documents lead to files of this tree."""

import re
from pathlib import PurePosixPath
from posixpath import normpath

LINK = re.compile(r"\]\(([^)#\s]+)")


def targets(tree, name):
    """Where each link of a document leads, and the line it stands in."""
    folder = PurePosixPath(name).parent
    return [(number, link, normpath(folder / link)) for number, line in enumerate(tree.lines(name), 1)
            for link in LINK.findall(line) if "://" not in link and not link.startswith("mailto:")]


def check(tree):
    documents = [name for name in tree.files if name.endswith(".md")]
    places = set(tree.files) | {str(parent) for name in tree.files for parent in PurePosixPath(name).parents}
    links = [(name, *target) for name in documents for target in targets(tree, name)]
    findings = [f"{name}:{number}: the link to {link} leads nowhere" for name, number, link, target in links
                if target not in places]
    return findings, f"{len(links)} links in {len(documents)} documents"
