import { realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NEVER, opened } from './servers';

const MANIFEST = require.resolve('@modelcontextprotocol/server-filesystem/package.json');
const PROGRAM = join(MANIFEST, '../dist/index.js');

/** The public server, as a process. It gives access to the step's folder alone, because its only argument is `.`. */
test('the public filesystem server works in the folder of the step', async () => {
  const { server, cwd } = await opened({ kind: 'stdio', command: [process.execPath, PROGRAM, '.'] });
  const names = server.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['read_text_file', 'write_file', 'list_directory', 'directory_tree']));
  expect(server.tools.every(({ parameters }) => JSON.stringify(parameters).includes('"type":"object"'))).toBe(true);

  await writeFile(join(cwd, 'note.txt'), 'a line\n');
  await expect(server.call('read_text_file', { path: 'note.txt' }, NEVER)).resolves.toEqual({ text: 'a line\n' });
  await server.call('write_file', { path: 'made.txt', content: 'by a tool' }, NEVER);
  await expect(readFile(join(cwd, 'made.txt'), 'utf8')).resolves.toBe('by a tool');
  const allowed = await server.call('list_allowed_directories', {}, NEVER);
  expect(allowed.text).toContain(realpathSync(cwd));
  await expect(server.call('read_text_file', { path: '/etc/hostname' }, NEVER)).resolves.toMatchObject({ failed: true });
  await expect(server.call('read_text_file', { nonsense: 1 }, NEVER)).resolves.toMatchObject({ failed: true });
});
