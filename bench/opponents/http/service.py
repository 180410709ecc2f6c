"""What one would build instead: FastAPI on uvicorn with uvloop and httptools, and asyncpg's pool.

It does the work of four of Dispatcher's routes, each with the statements that we would write for it: a credential is found
by its digest, then one statement does all the rest. Started by uvicorn; DISPATCHER_DATABASE_URL names the database.
"""

import hashlib
import os
import secrets
from contextlib import asynccontextmanager
from datetime import datetime

import asyncpg
import orjson
from fastapi import Depends, FastAPI, Header, HTTPException, Query, Response
from pydantic import BaseModel, Field

from statements import CONTENT, DEVICE, INBOX, KEY, RECEIPT, REGISTER, UNREAD

KINDS = {"fetched": 1, "displayed": 2, "read": 3, "dismissed": 4}
PLATFORMS = {"apns": 1, "fcmV1": 2, "browser": 3, "wns": 4, "adm": 5, "hms": 6}
PERMISSIONS = {"notDetermined": 0, "denied": 1, "provisional": 2, "authorized": 3, "ephemeral": 4}


class Installation(BaseModel):
    platform: str
    pushChannel: str = Field(min_length=1, max_length=4096)
    userId: str | None = Field(None, min_length=1, max_length=256)
    tags: list[str] = Field(default_factory=list, max_length=60)
    locale: str | None = None
    timeZone: str | None = None
    permission: str = "notDetermined"


class Receipt(BaseModel):
    notificationId: str
    kind: str
    at: datetime
    id: str | None = None


@asynccontextmanager
async def lifespan(app):
    async with asyncpg.create_pool(os.environ["DISPATCHER_DATABASE_URL"], min_size=8, max_size=8) as pool:
        app.state.pool = pool
        yield


app = FastAPI(lifespan=lifespan, openapi_url=None)


async def connection():
    async with app.state.pool.acquire() as found:
        yield found


def digest(authorization):
    scheme, _, secret = authorization.partition(" ")
    if scheme != "Bearer":
        raise HTTPException(401)
    return hashlib.sha256(secret.encode()).digest()


async def key(authorization: str = Header(), database=Depends(connection)):
    row = await database.fetchrow(KEY, digest(authorization))
    if not row or not row["rights"] & 1:
        raise HTTPException(401)
    return row


async def device(authorization: str = Header(), database=Depends(connection)):
    row = await database.fetchrow(DEVICE, digest(authorization))
    if not row:
        raise HTTPException(401)
    return row


@app.get("/health")
async def health():
    return Response(b'{"status":"alive"}', media_type="application/json")


@app.put("/api/installations/{name}")
async def register(name: str, body: Installation, caller=Depends(key), database=Depends(connection)):
    secret = secrets.token_urlsafe(32)
    row = await database.fetchrow(
        REGISTER, caller["hub_id"], name, body.userId, PLATFORMS[body.platform], body.pushChannel, body.tags, body.locale,
        body.timeZone, PERMISSIONS[body.permission], hashlib.sha256(secret.encode()).digest(),
    )  # fmt: skip
    answer = {"installationId": name}
    if row["has_new_secret"]:
        answer["secret"] = secret
    headers = {"ETag": f'"{row["updated_at"].timestamp()}"'}
    status = 201 if row["has_new_secret"] else 200
    return Response(orjson.dumps(answer), status, headers, media_type="application/json")


@app.post("/api/receipts")
async def report(body: Receipt, caller=Depends(device), database=Depends(connection)):
    name = body.id or body.kind
    known = await database.fetchval(
        RECEIPT, caller["hub_id"], body.notificationId, caller["installation"], caller["installation_id"],
        caller["user_id"], caller["platform"], name, KINDS[body.kind], body.at,
    )  # fmt: skip
    if not known:
        raise HTTPException(404)
    return Response(status_code=204)


@app.get("/api/notifications/{job}")
async def fetch(job: str, caller=Depends(device), database=Depends(connection)):
    row = await database.fetchrow(CONTENT, caller["hub_id"], job, caller["installation"])
    if not row:
        raise HTTPException(404)
    headers = {"ETag": f'"{row["checksum"].hex()}"', "X-Content-Type-Options": "nosniff"}
    return Response(row["bytes"], 200, headers, media_type=row["media_type"])


@app.get("/api/inbox")
async def inbox(limit: int = Query(50, ge=1, le=500), caller=Depends(device), database=Depends(connection)):
    rows = await database.fetch(INBOX, caller["hub_id"], caller["user_id"], limit)
    unread = await database.fetch(UNREAD, caller["hub_id"], caller["user_id"])
    items = [dict(row, content=orjson.Fragment(row["content"])) for row in rows]
    threads = {row["thread"]: row["unread"] for row in unread if row["thread"]}
    total = sum(row["unread"] for row in unread)
    answer = {"items": items, "unread": {"total": total, "threads": threads}}
    return Response(orjson.dumps(answer), media_type="application/json")
