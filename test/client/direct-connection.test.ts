import { createServer, type Server } from 'node:net';
import { connectClient } from '../../client/connect';

const VARIABLES = ['http_proxy', 'https_proxy', 'grpc_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/** Counts who connects to it, and hangs up. */
async function listen(): Promise<{ port: number; asked: () => number; server: Server }> {
  let asked = 0;
  const server = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, asked: () => asked, server };
}

test(`${VARIABLES.join(', ')} change nothing about the way to a Temporal server`, async () => {
  const [proxy, temporal] = [await listen(), await listen()];
  const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  for (const name of VARIABLES) process.env[name] = `http://127.0.0.1:${proxy.port}`;
  try {
    await expect(connectClient({ address: `127.0.0.1:${temporal.port}`, namespace: 'default' })).rejects.toMatchObject({
      code: 'server.unreachable',
    });
    expect(proxy.asked()).toBe(0);
    expect(temporal.asked()).toBeGreaterThan(0);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    for (const { server } of [proxy, temporal]) server.close();
  }
});
