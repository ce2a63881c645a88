/**
 * Paths that are restricted whatever the step says, because all engineers share them (`__init__.py`, config files, global constants). Each
 * list has patterns of git's `:(glob)`.
 */
const ENTRY_FILES = ['__init__.py', 'index.js', 'index.mjs', 'index.cjs', 'index.ts', 'mod.rs', 'lib.rs'];

const PACKAGES = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'setup.py'],
  ...['poetry.lock', 'uv.lock', 'requirements*.txt', 'Cargo.lock', 'go.mod', 'go.sum', 'Gemfile', 'Gemfile.lock'],
  ...['composer.json', 'composer.lock'],
];

const CONFIGURATION = [
  ...['[cC]onfig.*', '*.config.*', '[cC]onfiguration.*', 'conf.*', '[sS]ettings.*', 'appsettings*.json'],
  ...['*.ini', '*.cfg', '*.conf', '*.toml', '*.properties', '.env', '.env.*', '.editorconfig', '.*rc', '.*rc.*'],
  ...['tsconfig*.json', 'conftest.py', '.gitattributes', '.gitignore', '.gitmodules', '.github/**', 'Dockerfile', 'Makefile'],
];

const CONSTANTS = ['[cC]onstants.*', '[cC]onsts.*', 'const.*', '[gG]lobals.*'];

export const DEFAULT_RESTRICTED: readonly string[] = [
  ...[...ENTRY_FILES, ...PACKAGES, ...CONFIGURATION, ...CONSTANTS].map((name) => `**/${name}`),
  // A folder of that name deeper down may be code.
  'config/**',
];
