"""A double of NetworkManager's ``nmcli``, for one machine: its state is a JSON file beside it, each call a line there.

It answers what the table asks, in the words of nmcli 1.42 and 1.52, and refuses what the file says.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "nmcli.json"
CONNECTED = "Connection successfully activated (D-Bus active path: /org/freedesktop/NetworkManager/ActiveConnection/7)"


def main(words: list[str]) -> int:
    """Do as told. Returns nmcli's exit codes: 0, 4 where an activation failed, 10 where there is no such thing."""
    now = json.loads(KEPT.read_text(encoding="utf-8"))
    now["asked"].append(words)
    said, code = "", 0
    match words[2:]:
        case ["device", "wifi", "show-password"]:
            own, other = now["own"], now["wifi"]
            wifi = own if now["active"] == "sevenmat" else other if now["active"] else None
            if wifi is None:
                print("Error: No Wi-Fi device found.", file=sys.stderr)
                code = 1
            else:
                lines = [f"SSID: {wifi['ssid']}", f"Security: {wifi['security']}"]
                lines += [f"Password: {wifi['password']}"] if wifi["password"] else []
                said = "\n".join((*lines, "", ""))
        case ["-g", "TYPE", "device"]:
            said = "\n".join(now["devices"])
        case ["-g", "PERMISSION,VALUE", "general", "permissions"]:
            may = "yes" if now["may"] else "no"
            said = f"org.freedesktop.NetworkManager.network-control:{may}\n"
            said += f"org.freedesktop.NetworkManager.wifi.share.protected:{may}"
        case ["-g", "NAME", "connection", "show"]:
            said = "\n".join(("lo", "home", *(["sevenmat"] if now["own"] else [])))
        case ["-g", "NAME", "connection", "show", "--active"]:
            said = "\n".join(("lo", now["active"]))
        case ["connection", "up", "id", "sevenmat"]:
            if now["own"] is None:
                print("Error: unknown connection 'sevenmat'.", file=sys.stderr)
                code = 10
            else:
                now["active"], said = "sevenmat", CONNECTED
        case ["connection", "down", "id", "sevenmat"]:
            now["active"], said = "home", "Connection 'sevenmat' successfully deactivated"
        case ["device", "wifi", "hotspot", "con-name", "sevenmat", "ssid", name, "password", password]:
            if now["refuses"]:
                print(f"Error: {now['refuses']}", file=sys.stderr)
                code = 4
            else:
                now["own"] = {"ssid": name, "security": "WPA", "password": password}
                now["active"], said = "sevenmat", "Device 'wlan0' successfully activated with '4711'."
        case _:
            print(f"Error: argument '{words}' not understood.", file=sys.stderr)
            code = 2
    KEPT.write_text(json.dumps(now), encoding="utf-8")
    print(said)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
