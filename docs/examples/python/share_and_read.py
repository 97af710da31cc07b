"""Records one reading, shares it with an Analyser, asks for an analysis, and opens the result.

    APP_USER_WEB_ID=… APP_USER_SECURITY_KEY=… APP_USER_CLIENT_ID=… APP_USER_CLIENT_SECRET=…
    APP_USER_ANALYSER=… APP_USER_GRPC=host:port python3 share_and_read.py 118 76 64

APP_USER_GRPC is dialled with TLS; http://host:port is dialled in plain. Where it applies: APP_ANALYSER_GRPC_TOKEN, the
token of the service; APP_USER_APP_DIR, the application folder in every Pod; SSL_CERT_FILE, the PEM file of the
authorities that are trusted in place of the usual ones, for the service and for the storage server.
"""

import base64
import json
import os
import sys
import time
from datetime import datetime

import grpc
from healthpod.analyser.v1 import analyser_pb2 as messages
from healthpod.analyser.v1 import analyser_pb2_grpc as service

from own_pod import OwnPod
from pod_formats import Pod
from solid_session import Session

env = os.environ


def main():
    systolic, diastolic, heart_rate = (int(each) for each in sys.argv[1:4])
    app_dir = env.get("APP_USER_APP_DIR", "app")
    analyser = Pod(env["APP_USER_ANALYSER"], app_dir)
    session = Session(
        env["APP_USER_WEB_ID"], env["APP_USER_CLIENT_ID"], env["APP_USER_CLIENT_SECRET"]
    )
    pod = Pod(env["APP_USER_WEB_ID"], app_dir)
    own = OwnPod(session, pod, env["APP_USER_SECURITY_KEY"])

    with open_channel(env["APP_USER_GRPC"]) as channel:
        stub = service.AnalyserStub(channel)
        token = env.get("APP_ANALYSER_GRPC_TOKEN")
        metadata = [("authorization", f"Bearer {token}")] if token else []
        status = stub.Status(messages.StatusRequest(), metadata=metadata, timeout=10)
        if not status.ready:
            sys.exit(f"Not ready: {status.message}")
        if status.analyser_web_id != analyser.web_id:
            sys.exit(f"The service acts for {status.analyser_web_id}; nothing was shared")

        url, key = own.record(datetime.now(), systolic, diastolic, heart_rate)
        own.share(url, key, analyser)

        # 0: this script does not count what the Pod shares already.
        request = messages.AnalyseRequest(web_id=pod.web_id, shared_file_count=0)
        reply = stub.Analyse(request, metadata=metadata, timeout=360)
    if reply.status != messages.ANALYSE_STATUS_COMPLETED or not reply.published:
        sys.exit(f"{messages.AnalyseStatus.Name(reply.status)}: {reply.message}")
    if not reply.result_url.startswith(analyser.root):
        sys.exit(f"{reply.result_url} is not in the Pod of the Analyser")
    show(collect(own, reply))


def open_channel(address):
    if address.startswith("http://"):
        return grpc.insecure_channel(address.removeprefix("http://"))
    authorities = None
    if "SSL_CERT_FILE" in env:
        with open(env["SSL_CERT_FILE"], "rb") as file:
            authorities = file.read()
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(authorities))


def collect(own, reply):
    """The document of this reply, or a later one; the one of an earlier run may still be there."""
    for attempt in range(3):
        result = json.loads(own.read_shared(reply.result_url))
        if moment(result["generated_at"]) >= moment(reply.generated_at):
            return result
        time.sleep(1.5)
    sys.exit("The result is still the one of an earlier run")


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def show(result):
    print("your average  ", figures(result["average"]))
    print("cohort average", figures(result["cohort"]["average_of_averages"]))
    own = result["pod"]
    print(f"{own['files_read']} files read, {own['files_skipped']} skipped", *own.get("notes", []))
    if "chart" in result:
        with open("chart.png", "wb") as file:
            file.write(base64.b64decode(result["chart"]["data"]))
        print("chart.png")


def figures(average):
    """Any measure can be null: too few readings, or withheld."""
    names = ("systolic", "diastolic", "heart_rate")
    return " ".join("–" if average[name] is None else f"{average[name]:.1f}" for name in names)


if __name__ == "__main__":
    main()
