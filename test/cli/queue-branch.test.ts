import { EXIT } from '../../cli/exit';
import { runCommandLine } from '../../cli/program';
import { newRepository, scratchFolder } from '../git/scene';
import { fakeTerminal } from './fake-terminal';

/** No server runs here: these requests are refused before a server is asked. */
describe.each([
  ['submit', ['HEAD']],
  ['pause', []],
  ['drop', ['1']],
])('queue %s', (command, more) => {
  it.each(['a b', 'HEAD', '@', 'a\nb', 'x'.repeat(10_000)])('refuses the branch %j', async (branch) => {
    const terminal = fakeTerminal({ cwd: scratchFolder() });
    const refused = runCommandLine(['queue', command, newRepository(), branch, ...more], terminal, '1.2.3');
    await expect(refused).rejects.toMatchObject({ exit: EXIT.usage, code: 'usage', message: expect.stringContaining('name of a branch') });
  });
});
