"""An object store on this machine: moto, with a folder in the bucket `chess`. Says where it listens, and
ends with its standard input."""

import os
import sys

import boto3
from moto.server import ThreadedMotoServer

folder = sys.argv[1]
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
endpoint = f"http://{host}:{port}"
s3 = boto3.client("s3", endpoint_url=endpoint)
s3.create_bucket(Bucket="chess")
for parent, _, names in os.walk(folder):
    for name in names:
        path = os.path.join(parent, name)
        s3.upload_file(path, "chess", "lake/" + os.path.relpath(path, folder))
print(endpoint, flush=True)
sys.stdin.read()
server.stop()
