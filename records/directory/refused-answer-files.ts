import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { RefusedAnswerQueue } from '../refused-answer-queue';
import { stateLayout } from './state-layout';

const LIMIT_BYTES = 1024 * 1024;

/** On a directory: JSON lines in `<state>/callbacks/refused.jsonl`, of at most 1 MiB, and the file before it (`.1`). */
export class RefusedAnswerFiles extends RefusedAnswerQueue {
  constructor(stateDir: string, warn: (message: string) => void, limitBytes = LIMIT_BYTES) {
    const path = stateLayout(stateDir).refusedAnswers;
    super(
      {
        place: path,
        async write(lines) {
          for (const line of lines) await append(path, `${line}\n`, limitBytes);
        },
      },
      warn,
    );
  }
}

async function append(path: string, line: string, limitBytes: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: STATE_FOLDER_MODE });
  if ((await sizeOf(path)) + Buffer.byteLength(line) > limitBytes) await rename(path, `${path}.1`);
  await appendFile(path, line, { mode: STATE_FILE_MODE });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // It does not exist yet; any other problem shows when it is written.
    return 0;
  }
}
