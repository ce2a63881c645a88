import { connect } from 'node:http2';

/**
 * Asks a Temporal frontend, over bare HTTP/2, whether it serves the namespace. Loading a gRPC client for this one question
 * would cost ten times what the server needs to start.
 */
const DESCRIBE_NAMESPACE = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';
const GRPC_OK = '0';

/** True once a call for the namespace succeeds; false for whatever else happens, within `timeoutMs`. */
export function servesNamespace(address: string, namespace = 'default', timeoutMs = 2_000): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(`http://${address}`);
    let status: unknown;
    const finish = (served: boolean) => {
      clearTimeout(timer);
      session.destroy();
      resolve(served);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    session.on('error', () => finish(false));
    const call = session.request({ ':method': 'POST', ':path': DESCRIBE_NAMESPACE, 'content-type': 'application/grpc', te: 'trailers' });
    call.on('error', () => finish(false));
    // A call that fails at once has its status in the headers, any other in the trailers.
    call.on('response', (headers) => {
      status = headers['grpc-status'];
    });
    call.on('trailers', (trailers) => {
      status = trailers['grpc-status'];
    });
    call.on('close', () => finish(status === GRPC_OK));
    call.resume();
    call.end(describeNamespaceRequest(namespace));
  });
}

/** A gRPC frame (no compression, length, message) around a message whose field 1 is the name. */
function describeNamespaceRequest(namespace: string): Buffer {
  const name = Buffer.from(namespace);
  const message = Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}
