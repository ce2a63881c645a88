import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { transformFileSync } from '@swc/core';

/** Real processes that hold leases, so that they can be killed. They run the sources of the room, translated into a scratch folder. */
const ROOT = resolve(__dirname, '../..');

const IMPORT = /require\("(\.[^"]+)"\)/g;

/** Translates `cli/embedded/`, and what it imports of other rooms, into the folder. */
export function translateSources(into: string): string {
  const files = new Set(sourcesBelow('cli/embedded'));
  // A loop over a set also visits what is added meanwhile.
  for (const file of files) {
    const { code } = transformFileSync(join(ROOT, file), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    for (const [, path = ''] of code.matchAll(IMPORT)) files.add(`${join(dirname(file), path)}.ts`);
    const target = join(into, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  return into;
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sourcesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** A holder's report about the server it acquired, or why it got none. */
export interface Told {
  address: string;
  started: boolean;
  workerElsewhere: boolean;
  lostWorkers: string[];
  identity: string;
  failed?: string;
}

export class Holder {
  private constructor(
    private readonly child: ChildProcess,
    readonly told: Told,
  ) {}

  static async start(sources: string, options: object): Promise<Holder> {
    const program = `
      const { acquireServer } = require(${JSON.stringify(join(sources, 'cli/embedded/server.js'))});
      const tell = (told) => console.log(JSON.stringify(told));
      acquireServer(${JSON.stringify(options)}).then(
        (server) => {
          tell(server);
          process.stdin.on('end', () => server.release()).resume();
        },
        (error) => tell({ failed: error.name }),
      );`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const gone = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`the holder ended with exit code ${code} and said nothing`)),
    );
    const [line] = await Promise.race([once(lines, 'line'), gone]);
    gone.catch(() => undefined);
    return new Holder(child, JSON.parse(line));
  }

  /** Lets it release its lease and waits until it is gone. */
  async leave(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.stdin?.end();
    await gone;
  }

  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
