import { memoryTools } from '../../cli/testing/memory-tools';
import { codeOf } from '../activities/workshop';
import { toolBench } from './tool-use';

test('in a test agents have files of their own: what they write they read, list and find, and nothing is on disk', async () => {
  const { call, folder } = toolBench(memoryTools());
  await call('write_file', { path: 'a/b.txt', content: 'one\ntwo' });
  await call('edit_file', { path: 'a/b.txt', old: 'two', new: '2' });
  expect((await call('read_file', { path: `${folder}/a/b.txt` })).text).toBe('1\tone\n2\t2');
  expect((await call('list_files', {})).text).toBe('a/\na/b.txt');
  expect((await call('list_files', { path: 'a', depth: 1 })).text).toBe('a/b.txt');
  expect((await call('grep', { pattern: '^2$' })).text).toBe('a/b.txt:2:2');
  expect(await call('write_file', { path: '../x', content: '' })).toMatchObject({ refused: true });
  expect(await codeOf(call('read_file', { path: 'none' }))).toBe('tool.failed');
  expect(await codeOf(call('fetch_url', { url: 'http://x.org/' }))).toBe('tool.failed');
});
