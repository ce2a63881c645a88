import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** The folders of the program. */
export const PROGRAM = ['plan', 'kinds', 'channels', 'compiler', 'workflows', 'records', 'activities', 'worker', 'client', 'cli'];

/** The texts of all source files in these folders, by their paths in the repository. */
export function sourcesIn(rooms: readonly string[], isSource = /\.ts$/): [file: string, text: string][] {
  return rooms.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => isSource.test(name) && !name.includes('node_modules'))
      .map((name): [string, string] => {
        const file = `${room}/${name.replaceAll('\\', '/')}`;
        return [file, readFileSync(join(ROOT, file), 'utf8')];
      }),
  );
}
