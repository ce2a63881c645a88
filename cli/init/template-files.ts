import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defined } from '../../plan/defined';
import { CommandFailure, EXIT } from '../exit';
import { PACKAGE_ROOT } from '../package-root';
import type { InitTemplate } from './gallery';
import type { WorkingFolder } from './working-folder';
import { SETTINGS_FILE } from './write-folder';

/** A template with its files. Fails with `template.missing` if the package was installed without them. */
export function readInitTemplate(
  { name, commands }: Pick<InitTemplate, 'name' | 'commands'>,
  root = join(PACKAGE_ROOT, 'examples', 'templates'),
): WorkingFolder {
  const { [SETTINGS_FILE]: settings, ...files } = filesOf(join(root, name));
  return { pipeline: name, files, commands, ...defined({ settings }) };
}

function filesOf(folder: string): Record<string, string> {
  try {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = found.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/')).sort();
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(EXIT.failed, 'template.missing', `the files of the template cannot be read: ${why}`, {
      hint: 'they belong to the package, in examples/templates/: install it again',
    });
  }
}
