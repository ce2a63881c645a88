import { restrictedFor } from '../../kinds/caid/rules/restricted';
import { commitOn, never, newGit, newRepository, sh, texts } from '../git/scene';

/**
 * The files that all engineers share by default (`__init__.py`, config files, global constants), under the names that they have in
 * practice.
 */
const SHARED = [
  ...['pkg/__init__.py', 'index.js', 'src/index.ts', 'package.json', 'pyproject.toml', 'uv.lock', 'requirements-dev.txt'],
  ...['src/config.py', 'settings.yaml', 'src/constants.py', 'app/settings.py', 'config.json', 'vite.config.ts', 'src/Config.java'],
  ...['config/database.yml', 'setup.cfg', 'tox.ini', 'pytest.ini', '.env.local', '.eslintrc.json', '.npmrc', 'src/Constants.java'],
  ...['docs/conf.py', 'app/const.py', 'src/globals.ts', 'appsettings.Development.json', '.github/workflows/ci.yml', 'tsconfig.build.json'],
];
const OWN = [
  'src/reader.py',
  'src/configure.py',
  'test/test_config.py',
  'src/constantly.ts',
  'data/values.yaml',
  'README.md',
  'src/settings_page.tsx',
];

async function touched(files: readonly string[], ofTask: readonly string[]): Promise<string[]> {
  const folder = newRepository();
  const from = sh(folder, 'rev-parse', 'HEAD');
  const to = commitOn(folder, from, Object.fromEntries(files.map((file) => [file, 'x\n'])));
  const git = newGit();
  const repository = await git.repositories.open(folder, never);
  return texts(await git.diffs.restricted(repository, { from, to }, restrictedFor(ofTask, { step: [], manager: [] }), never)).sort();
}

it('is restricted if no task owns it, and nothing else is', async () => {
  expect(await touched([...SHARED, ...OWN], OWN)).toEqual([...SHARED].sort());
});

it('is a task’s own if the task names it, and no other file of that name is', async () => {
  expect(await touched(['src/config.py', 'lib/config.py', 'settings.yaml'], ['src/config.py'])).toEqual(['lib/config.py', 'settings.yaml']);
});
