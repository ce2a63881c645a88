import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs something with files in a folder of their own, which is removed afterwards. Without files there is no folder. */
export async function* withScratch<T, R>(
  files: Readonly<Record<string, string>> | undefined,
  work: (folder: string) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  if (!files) return yield* work('');
  const folder = await mkdtemp(join(tmpdir(), 'thermidor-agent-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    return yield* work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
