"""arena.site.pages: what every page promises."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from markupsafe import Markup

from arena.site import pages
from arena.site.pages import LONGEST_SLUG, Link, Site, inline, page, policy, slugs

SITE = Site("<cup>", "2026-11-22", "0.1.0", (Link("Standings", "index.html"),), {}, {}, {}, {})
MINE = "'self'"


def test_the_hashes_of_a_page_are_those_of_what_stands_in_it() -> None:
    text = page("base.html", site=SITE, here="index.html", title="cup")
    inside = {
        what: re.findall(rf"<{what}>(.*?)</{what}>", text, re.DOTALL)
        for what in ("style", "script")
    }
    assert len(inside["style"]) == 1
    assert len(inside["script"]) == 2
    meta = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert meta
    rule = str(Markup(meta[1]).unescape())
    told = dict(part.strip().split(" ", 1) for part in rule.split(";"))
    for what, texts in inside.items():
        hashes = [f"'sha256-{b64encode(sha256(t.encode()).digest()).decode()}'" for t in texts]
        assert told[f"{what}-src"].split() == ([MINE] if what == "script" else []) + hashes
    assert told["default-src"] == told["base-uri"] == told["form-action"] == "'none'"


def test_what_is_inline_does_not_end_its_element() -> None:
    viewer = Path(pages.__file__).parent / "viewer"
    own = [f"viewer/{file.name}" for file in viewer.iterdir()]
    for file in ("templates/style.css", "vendor/sortable.js", "vendor/sortable.a11y.js", *own):
        assert "</" not in inline(file)
        assert "\r" not in inline(file)  # which a browser takes off before it hashes


def test_text_is_text() -> None:
    text = page("base.html", site=SITE, here="", title="</title>\x1b<script>")
    assert "<cup>" not in text
    assert "&lt;cup&gt;" in text
    assert "<title>&lt;/title&gt;\\x1b&lt;script&gt;</title>" in text


def test_a_policy_of_no_script_still_lets_files_beside_the_page_in() -> None:
    assert "script-src 'self' ; style-src ;" in policy((), ())


def test_a_name_that_is_safe_stays() -> None:
    assert slugs(["ann", "bob_2", "no-name"]) == {n: n for n in ("ann", "bob_2", "no-name")}


def test_slugs_are_safe_and_unique_whatever_the_names() -> None:
    names = ["a", "A", "a-2", "a b", "../../etc/passwd", "", "\x1b[31m", "ä", "x" * 500, "X" * 500,
             "con", "<img src=x onerror=alert(1)>", "a/b", "a\\b", "İ"]  # fmt: skip
    found = slugs(names)
    safe = rf"[a-z0-9_-]{{1,{LONGEST_SLUG + 3}}}"
    assert found.keys() == set(names)
    assert len(set(found.values())) == len(names)
    assert all(re.fullmatch(safe, slug) for slug in found.values())


def test_slugs_do_not_depend_on_the_order() -> None:
    assert slugs(["A", "a", "a-2"]) == slugs(["a-2", "a", "A"])
