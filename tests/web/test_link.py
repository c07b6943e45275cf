"""The table at the page's end: whoever waits for news is told, whoever else goes meanwhile."""

from __future__ import annotations

import asyncio
import random
import socket

from web.link import TableLink


def test_phones_that_go_while_there_is_news_hold_nobody_up() -> None:
    async def watched() -> None:
        ours, theirs = socket.socketpair()
        link, chance = TableLink(ours), random.Random(1)

        async def watch() -> None:
            version = 0
            while True:
                await link.wait_for_news(version, 0.001)
                version = link.version

        phones = [asyncio.create_task(watch()) for _ in range(100)]
        for _ in range(60):
            await link._hear({"now": {"pictures": {}}})
            gone = chance.sample(range(len(phones)), 20)
            for number in gone:
                phones[number].cancel()
            await asyncio.sleep(chance.choice((0, 0, 0.001, 0.0011)))
            assert [phone.exception() for phone in phones if phone.done() and not phone.cancelled()] == []
            for number in gone:
                phones[number] = asyncio.create_task(watch())
        for phone in phones:
            phone.cancel()
        await asyncio.gather(*phones, return_exceptions=True)
        ours.close()
        theirs.close()

    asyncio.run(asyncio.wait_for(watched(), 60))
