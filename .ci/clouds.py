"""What .ci/clouds needs beside servers: a front that stands before them, and a client that is none of ours.

    clouds.py front google|azure PORT SERVER LOG SLOW
    clouds.py make  google|azure PORT BUCKET                  waits until the server is up, and makes a bucket
    clouds.py put   google|azure PORT BUCKET PREFIX FOLDER
    clouds.py get   google|azure PORT BUCKET PREFIX FOLDER
    clouds.py list  google|azure PORT BUCKET PREFIX

The front writes a line a request to LOG. While the file SLOW is there, writes of parts take longer, so that a run can be met half way.

fake-gcs-server reads by Google's XML interface, which the program speaks, but writes by the JSON interface only. The front translates:
PUT with x-goog-if-generation-match becomes an upload with ifGenerationMatch, an upload in parts becomes one at its end. Generations, and
whether they match, remain the server's. Azurite needs no translation.
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import sys
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

# Azurite's account, which everybody knows.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
CONDITIONS = ("if-none-match", "if-match", "x-goog-if-generation-match")
# Headers of one connection.
OF_CONNECTION = ("connection", "transfer-encoding", "content-length")


def ask(port, method, path, headers, body=b""):
    """The status, headers and body of an answer."""
    server = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    server.putrequest(method, path, skip_host="host" in {name.lower() for name in headers}, skip_accept_encoding=True)
    for name, value in headers.items():
        if name.lower() not in OF_CONNECTION:
            server.putheader(name, value)
    if body or method in ("PUT", "POST"):
        server.putheader("Content-Length", str(len(body)))
    server.endheaders(body or None)
    answer = server.getresponse()
    data = answer.read()
    server.close()
    return answer.status, answer.getheaders(), data


# --- the front


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    uploads = {}

    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        url = urlsplit(self.path)
        query = parse_qs(url.query, keep_blank_values=True)
        if self.command == "PUT" and os.path.exists(self.server.slow):
            time.sleep(self.pause(url.path, query))
        writes = self.command in ("PUT", "POST") or "uploadId" in query
        if self.server.kind == "google" and writes and not url.path.startswith(("/storage/", "/upload/")):
            status, headers, data = self.written(url.path, query, body)
        else:
            status, headers, data = ask(self.server.behind, self.command, self.path, dict(self.headers), body)
            if self.server.kind == "google" and "list-type" in query:
                # Google has quotes around entity tags here, as in headers.
                data = re.sub(b'<ETag>([^<"]*)</ETag>', b'<ETag>"\\1"</ETag>', data)
        conditions = "".join(f" {name}={self.headers[name]}" for name in CONDITIONS if self.headers[name])
        refusal = f" {data[:300]!r}" if status >= 400 and data else ""
        print(f"{time.time():.2f} {self.command} {self.path}{conditions} -> {status}{refusal}", file=self.server.log, flush=True)
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in OF_CONNECTION:
                self.send_header(name, value)
        length = {name.lower(): value for name, value in headers}.get("content-length")
        self.send_header("Content-Length", length if self.command == "HEAD" and length else str(len(data)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else data)
        self.wfile.flush()

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

    def pause(self, path, query):
        """So many seconds a write takes longer. SLOW names the part of an upload in parts that takes long.

        A second writer must have come and seen two beats of the first meanwhile, ten seconds apart; no client waits for longer than thirty.
        At Azure each block takes so long, and their list after them.
        """
        number = query.get("partNumber", [""])[0]
        if "comp" in query or number:
            return (25 if self.server.kind == "google" else 15) if number in ("", Path(self.server.slow).read_text().strip()) else 0
        return 0.5 if "part-" in unquote(path) else 0

    def written(self, path, query, body):
        """A write by the XML interface."""
        bucket, name = (unquote(part) for part in path[1:].split("/", 1))
        upload = query.get("uploadId", [""])[0]
        if "uploads" in query:
            upload = f"upload{time.time_ns()}"
            self.uploads[upload] = {}
            return xml(200, f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>")
        if not upload:
            return self.uploaded(bucket, name, body)
        if upload not in self.uploads:
            return xml(404, "<Error><Code>NoSuchUpload</Code></Error>")
        if self.command == "DELETE":
            del self.uploads[upload]
            return 204, [], b""
        if self.command == "PUT":
            self.uploads[upload][query["partNumber"][0]] = body
            return 200, [("ETag", f'"{hashlib.md5(body).hexdigest()}"')], b""
        numbers = re.findall("<PartNumber>([0-9]+)</PartNumber>", body.decode())
        status, headers, data = self.uploaded(bucket, name, b"".join(self.uploads[upload][number] for number in numbers))
        if status != 200:
            return status, headers, data
        del self.uploads[upload]
        _, _, data = xml(200, f"<CompleteMultipartUploadResult><ETag>{dict(headers)['ETag']}</ETag></CompleteMultipartUploadResult>")
        return status, headers, data

    def uploaded(self, bucket, name, body):
        """An upload by the JSON interface, answered as the XML interface does."""
        query = {"uploadType": "multipart", "name": name}
        if self.headers["x-goog-if-generation-match"]:
            query["ifGenerationMatch"] = self.headers["x-goog-if-generation-match"]
        described = json.dumps({"name": name, "contentType": "application/octet-stream"})
        head = "--cut\r\nContent-Type: {}\r\n\r\n".format
        status, _, data = ask(
            self.server.behind,
            "POST",
            f"/upload/storage/v1/b/{bucket}/o?{urlencode(query)}",
            {"Host": self.headers["host"], "Content-Type": "multipart/related; boundary=cut"},
            f"{head('application/json')}{described}\r\n{head('application/octet-stream')}".encode() + body + b"\r\n--cut--\r\n",
        )
        if status != 200:
            return xml(status, f"<Error><Code>{'PreconditionFailed' if status == 412 else 'Other'}</Code></Error>")
        made = json.loads(data)
        return 200, [("ETag", f'"{made["etag"]}"'), ("x-goog-generation", str(made["generation"]))], b""


def xml(status, text):
    return status, [("Content-Type", "application/xml")], f'<?xml version="1.0"?>{text}'.encode()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def front(kind, port, behind, log, slow):
    server = Server(("127.0.0.1", int(port)), Front)
    server.kind, server.behind, server.slow = kind, int(behind), slow
    server.log = open(log, "a", encoding="utf-8")
    server.serve_forever()


# --- the client


class Store:
    def __init__(self, kind, port, bucket):
        self.kind, self.port, self.bucket = kind, int(port), bucket

    def ask(self, method, path, query=None, body=b"", expected=200, headers=None):
        headers = dict(headers or {})
        if self.kind == "azure":
            path = f"/{ACCOUNT}{path}"
            headers |= {"x-ms-date": formatdate(usegmt=True), "x-ms-version": "2023-11-03"}
            headers["Authorization"] = signature(method, path, query or {}, headers, len(body))
        status, _, data = ask(self.port, method, path + ("?" + urlencode(query) if query else ""), headers, body)
        if status != expected:
            raise SystemExit(f"{method} {path}: {status} {data[:300]!r}")
        return data

    def make(self):
        if self.kind == "azure":
            self.ask("PUT", f"/{self.bucket}", {"restype": "container"}, expected=201)
        else:
            self.ask("POST", "/storage/v1/b", {"project": "p"}, json.dumps({"name": self.bucket}).encode())

    def names(self, prefix):
        if self.kind == "azure":
            query = {"restype": "container", "comp": "list", "prefix": prefix}
            names = re.findall("<Name>([^<]*)</Name>", self.ask("GET", f"/{self.bucket}", query).decode())
            return [name.replace("&amp;", "&") for name in names]
        listed = json.loads(self.ask("GET", f"/storage/v1/b/{self.bucket}/o", {"prefix": prefix}))
        return [item["name"] for item in listed.get("items", [])]

    def put(self, name, content):
        if self.kind == "azure":
            self.ask("PUT", f"/{self.bucket}/{quote(name)}", body=content, expected=201, headers={"x-ms-blob-type": "BlockBlob"})
        else:
            self.ask("POST", f"/upload/storage/v1/b/{self.bucket}/o", {"uploadType": "media", "name": name}, content)

    def get(self, name):
        if self.kind == "azure":
            return self.ask("GET", f"/{self.bucket}/{quote(name)}")
        return self.ask("GET", f"/storage/v1/b/{self.bucket}/o/{quote(name, safe='')}", {"alt": "media"})


def signature(method, path, query, headers, length):
    """The shared key of Azure: no header but Content-Length and those of x-ms- is in use."""
    own = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers) if name.startswith("x-ms-"))
    resource = f"/{ACCOUNT}{path}" + "".join(f"\n{name}:{query[name]}" for name in sorted(query))
    text = f"{method}\n\n\n{length or ''}\n\n\n\n\n\n\n\n\n{own}{resource}"
    signed = hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()
    return f"SharedKey {ACCOUNT}:{base64.b64encode(signed).decode()}"


def make(store):
    for _ in range(600):
        try:
            return store.make()
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the server does not come up")


def put(store, prefix, folder):
    for file in sorted(Path(folder).rglob("*")):
        if file.is_file():
            store.put(f"{prefix}/{file.relative_to(folder)}", file.read_bytes())


def get(store, prefix, folder):
    for name in store.names(f"{prefix}/"):
        file = Path(folder) / name[len(prefix) + 1 :]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(store.get(name))


def main(command, kind, port, *rest):
    if command == "front":
        return front(kind, port, *rest)
    store = Store(kind, port, rest[0])
    if command == "list":
        return print("\n".join(store.names(rest[1])))
    return {"make": make, "put": put, "get": get}[command](store, *rest[1:])


main(*sys.argv[1:])
