"""`phone.py ADDRESS [PICTURE GAME SEATS]`: what a phone there gets, as JSON: by its code, with its cookie, without.

With a picture, that is sent to be scored. The word is "nobody" where nothing answers in time.
"""

import json
import sys
import urllib.error
import urllib.request
from typing import Any

PATIENCE_S = 240


class Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def asked(
    address: str, cookie: str = "", body: bytes | None = None, kind: str = ""
) -> tuple[int | str, dict[str, str], str]:
    headers = {"Accept": "application/json"}
    if cookie:
        headers["Cookie"] = cookie
    if body is not None:
        headers |= {"Origin": address[: address.index("/", 7)], "Content-Type": kind}
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stays())
    try:
        with opener.open(urllib.request.Request(address, body, headers), timeout=PATIENCE_S) as came:
            return came.status, dict(came.headers), came.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()
    except OSError:
        return "nobody", {}, ""


def main() -> None:
    address = sys.argv[1]
    base = address.partition("?")[0]
    by_code, headers, _ = asked(address)
    cookie = headers.get("Set-Cookie", "").split(";")[0]
    found: dict[str, Any] = {
        "code": by_code,
        "in": asked(f"{base}state.json", cookie)[0],
        "out": asked(f"{base}state.json")[0],
    }
    if len(sys.argv) > 2:
        fields = {"game": sys.argv[3], "seats": sys.argv[4]}
        parts = [
            f'--x\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()
        ]
        head = (
            '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
        )
        with open(sys.argv[2], "rb") as file:
            body = "".join(parts).encode() + head.encode() + file.read() + b"\r\n--x--\r\n"
        status, _, said = asked(f"{base}score", cookie, body, "multipart/form-data; boundary=x")
        found["score"] = status, said
    print(json.dumps(found))


if __name__ == "__main__":
    main()
