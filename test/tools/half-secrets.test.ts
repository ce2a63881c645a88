import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { resultText } from '../../activities/adapters/mcp/result-text';
import { DirectPages } from '../../activities/adapters/web-pages/direct-pages';
import type { JsonObject } from '../../plan/text/json';
import { toolBench } from './tool-use';

const SECRET = 'hush-hush-hush-hush';
const mask = (text: string) => text.replaceAll(SECRET, '***');

/** Positions near the point at which a tool cuts its output. */
const places = (cut: number) => Array.from({ length: 8 }, (_, i) => cut - 19 + i * 3);

async function shown(tool: string, args: JsonObject, content?: string): Promise<string> {
  const { folder, call } = toolBench({ web: new DirectPages({ allowPrivate: ['127.0.0.1'] }) });
  if (content !== undefined) writeFileSync(join(folder, 'a'), content);
  return (await call(tool, args, { mask })).text;
}

test('no line of a file that is cut ends in half a secret', async () => {
  for (const place of places(2000)) {
    const text = await shown('read_file', { path: 'a' }, `${'x'.repeat(place)}${SECRET}${'y'.repeat(100)}`);
    expect(text).not.toContain('hush');
  }
});

test('no line that is found shows half a secret, and no pattern finds one letter by letter', async () => {
  for (const place of places(394)) {
    const line = `NEEDLE${'x'.repeat(place)}${SECRET}${'y'.repeat(1000)}`;
    const text = await shown('grep', { pattern: 'NEEDLE' }, line);
    expect(text).toContain('NEEDLE');
    expect(text).not.toContain('hush');
  }
  expect(await shown('grep', { pattern: 'key=hu' }, `key=${SECRET}`)).toMatch(/^\[no line matches/);
});

test('no end of a program’s output is half a secret', async () => {
  for (const place of places(7500)) {
    const argv = [process.execPath, '-e', `process.stdout.write('x'.repeat(${place}) + '${SECRET}' + 'y'.repeat(20000))`];
    expect(await shown('run', { argv })).not.toContain('hush');
  }
});

test('no page that is cut ends in half a secret', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end(`${'x'.repeat(Number(request.url?.slice(1)))}${SECRET}${'y'.repeat(100)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const place of places(30_000)) expect(await shown('fetch_url', { url: `http://127.0.0.1:${port}/${place}` })).not.toContain('hush');
  await new Promise((resolve) => server.close(resolve));
});

test('no result of a server of tools that is cut ends in half a secret', () => {
  for (const place of places(1000)) {
    const result = { content: [{ type: 'text', text: `${'x'.repeat(place)}${SECRET}${'y'.repeat(100)}` }] };
    expect(resultText(result, undefined, { mostCharacters: 1000, mask }).text).not.toContain('hush');
  }
});
