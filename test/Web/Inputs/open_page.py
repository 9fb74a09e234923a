#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the page of examples/web in headless Chromium, and prints what it sees.

    open_page.py FOLDER SOUND EXPECTED SCREENSHOTS

EXPECTED is a table with what the network gives natively for SOUND. Screenshots
of a wide and a narrow page go to the folder SCREENSHOTS.
"""
import base64
import os
import sys
import time

import numpy

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../golden"))
from browser import Browser, Failed, Server  # noqa: E402

# How many colours there are in an image, by its address.
COUNT_COLOURS = """
const image = new Image();
image.src = {address!r};
await image.decode();
const canvas = new OffscreenCanvas(image.width, image.height);
const context = canvas.getContext("2d");
context.drawImage(image, 0, 0);
const {{ data }} = context.getImageData(0, 0, image.width, image.height);
return new Set(new Uint32Array(data.buffer)).size;
"""
# Stops a sound when its first tenth of a second was heard.
STOP_EARLY = """
const observer = new MutationObserver(() => {
  if (parseFloat(find("sound").textContent) > 0) {
    observer.disconnect();
    find("stop").click();
  }
});
return observer.observe(find("sound"), { childList: true });
"""
NO_SIMD = "WebAssembly.validate = () => false;"


def wait(page, condition, seconds=60):
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        if time.monotonic() > end:
            notice = page.evaluate("find('notice').textContent")
            raise Failed(f"waited for {condition} in vain; notice: {notice}")
        time.sleep(0.05)


def open_page(page, server):
    """Opens the page, and waits for its model."""
    page.open(server.address + "index.html")
    page.evaluate("window.find = (id) => document.getElementById(id)")
    wait(page, "!find('file').disabled")


def get_text(page, name):
    return page.evaluate(f"find({name!r}).textContent")


def count_colours(page, path):
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    address = "data:image/png;base64," + data
    return page.evaluate(COUNT_COLOURS.format(address=address))


def count_canvas_colours(page, name):
    address = page.evaluate(f"find({name!r}).toDataURL()")
    return page.evaluate(COUNT_COLOURS.format(address=address))


def read_table(path):
    with open(path) as file:
        text = file.read()
    inside = text[text.index("[") + 1 : text.index("]")]
    return numpy.array(inside.split(), float)


def play(page, sound):
    """Plays a file until it ends or is stopped."""
    page.evaluate("find('sound').textContent = 'not yet'")
    page.choose_files("#file", [os.path.abspath(sound)])
    wait(page, "find('sound').textContent !== 'not yet'")
    wait(page, "find('stop').disabled")


def check_file(page, sound, expected):
    """The numbers of a file, without waiting for its time."""
    page.evaluate("find('paced').checked = false")
    play(page, sound)
    actual = numpy.array(page.evaluate("getOutputs()"))
    if actual.size != expected.size:
        raise Failed(f"{actual.size} numbers, but natively {expected.size}")
    # Logarithms of posteriors, and those.
    errors = numpy.abs(actual - expected) / (1 + numpy.abs(expected))
    errors = max(errors.max(), numpy.abs(numpy.exp(actual) - numpy.exp(expected)).max())
    print("file:", "as native" if errors <= 1e-4 else f"off by {errors}")
    print("numbers:", actual.size)
    time.sleep(0.2)
    # The model is sure of its classes.
    for name, least in (("features", 50), ("posteriors", 4)):
        colours = count_canvas_colours(page, name)
        print(f"{name}:", "drawn" if colours >= least else f"{colours} colours")
    print("bars:", page.evaluate("find('best').children.length"))
    print("factor:", 0 < float(get_text(page, "factor")) < 1)
    for name in ("sound", "instructions", "features-about", "posteriors-about"):
        print(f"{name}: {get_text(page, name)}")


def check_stop(page, sound):
    """A sound that is stopped leaves nothing to the next one."""
    before = page.evaluate("getOutputs().length")
    page.evaluate("find('paced').checked = true")
    page.evaluate(STOP_EARLY)
    play(page, sound)
    print("stopped:", 0 < page.evaluate("getOutputs().length") < before)
    time.sleep(0.2)  # for a timer that waits


def check_microphone(page):
    """The browser plays a file as the microphone, at the speed of speech."""
    # Twice: the second click does nothing.
    page.evaluate("[1, 2].forEach(() => find('microphone').click())")
    wait(page, "parseInt(find('latency').textContent) > 0")
    wait(page, "parseFloat(find('sound').textContent) > 1")
    latency = int(get_text(page, "latency").split()[0])
    print("latency:", "below a second" if latency < 1000 else latency)
    page.evaluate("find('stop').click()")
    wait(page, "find('stop').disabled")
    print("microphone:", page.evaluate("getOutputs().length > 0"))
    print("notice:", get_text(page, "notice") or "none")


def check_models(page):
    """A model that cannot be loaded, right behind one that can."""
    page.evaluate("""
      const { options } = find("model");
      options[0].selected = true;
      find("model").onchange();
      options[1].selected = true;
      return find("model").onchange();
    """)
    wait(page, "!find('notice').hidden")
    time.sleep(0.2)  # for the model in front of it
    print("bad model:", page.evaluate(
        "find('file').disabled && find('startup').textContent === '–'"))
    page.evaluate("find('model').options[0].selected = true")
    page.evaluate("find('model').onchange()")
    wait(page, "!find('file').disabled")
    print("good model:", page.evaluate("find('notice').hidden"))


def check_layout(page, path):
    page.screenshot(path)
    print("width:", page.evaluate(
        "document.documentElement.scrollWidth - innerWidth <= 0"))
    print("screenshot:", count_colours(page, path) > 100)


def main():
    folder, sound, expected, screenshots = sys.argv[1:]
    expected = read_table(expected)
    with Server({"": folder}) as server:
        with Browser(sound=os.path.abspath(sound)) as page:
            open_page(page, server)
            check_file(page, sound, expected)
            check_stop(page, sound)
            check_file(page, sound, expected)
            check_layout(page, os.path.join(screenshots, "wide.png"))
            check_microphone(page)
            check_file(page, sound, expected)
            check_models(page)
        with Browser(width=390, height=844, is_mobile=True) as page:
            open_page(page, server)
            check_layout(page, os.path.join(screenshots, "narrow.png"))
        with Browser() as page:
            page.call("Page.addScriptToEvaluateOnNewDocument", source=NO_SIMD)
            page.open(server.address + "index.html")
            print("no SIMD:", page.evaluate(
                "document.getElementById('notice').textContent"))


main()
