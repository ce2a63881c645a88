import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { isJsonObject } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { runtimeError } from './exit';
import { spellingsOf } from './token';

/**
 * The folder of Lobster's token data: `LOBSTER_STATE_DIR`, or `~/.lobster/state`. One file for each state, `<key>.json`, and one for each
 * approval id, `approval_<id>.json`, that names the key.
 *
 * Invariants: 1. only its owner can read a file (0600), and it is written completely or not at all; 2. an id is handed out once.
 */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  return env['LOBSTER_STATE_DIR']?.trim() || join(homedir(), '.lobster', 'state');
}

export class LobsterStateFiles {
  constructor(private readonly folder: string) {}

  /** Undefined if there is no file; a text that is no JSON is an unusable file. */
  read(key: string): unknown {
    const text = readIfThere(this.pathOf(key));
    return text === undefined ? undefined : jsonIn(text);
  }

  write(key: string, value: object): void {
    mkdirSync(this.folder, { recursive: true, mode: STATE_FOLDER_MODE });
    const path = this.pathOf(key);
    const scratch = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      writeFileSync(scratch, `${JSON.stringify(value, null, 2)}\n`, { mode: STATE_FILE_MODE, flush: true });
      renameSync(scratch, path);
    } finally {
      rmSync(scratch, { force: true });
    }
  }

  /** The key under which the state's file exists, if there is one. */
  keyOnDisk(key: string): string {
    return spellingsOf(key).find((spelled) => existsSync(this.pathOf(spelled))) ?? key;
  }

  /** The state and whatever id leads to it. */
  remove(key: string): void {
    const keys = spellingsOf(key);
    for (const file of this.approvalFiles()) if (keys.includes(this.keyIn(file) ?? '')) rmSync(join(this.folder, file), { force: true });
    for (const spelled of keys) rmSync(this.pathOf(spelled), { force: true });
  }

  /** A fresh id of 8 hexadecimal digits for the state. */
  giveApprovalId(key: string): string {
    mkdirSync(this.folder, { recursive: true, mode: STATE_FOLDER_MODE });
    const text = `${JSON.stringify({ stateKey: key, createdAt: new Date().toISOString() })}\n`;
    for (let tries = 0; tries < ID_TRIES; tries++) {
      const id = randomBytes(4).toString('hex');
      try {
        writeFileSync(join(this.folder, approvalFile(id)), text, { mode: STATE_FILE_MODE, flag: 'wx' });
        return id;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
    }
    throw runtimeError('Could not allocate a unique approval ID');
  }

  keyOfApproval(id: string): string | undefined {
    const safe = id.replace(/[^a-f0-9]/g, '');
    return safe === '' ? undefined : this.keyIn(approvalFile(safe));
  }

  private keyIn(file: string): string | undefined {
    const text = readIfThere(join(this.folder, file));
    const read = text === undefined ? undefined : jsonIn(text);
    return isJsonObject(read) && typeof read['stateKey'] === 'string' ? read['stateKey'] : undefined;
  }

  private approvalFiles(): string[] {
    try {
      return readdirSync(this.folder).filter((name) => name.startsWith('approval_') && name.endsWith('.json'));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** Keys come from tokens: characters that do not belong in a file name become `_`, so that none leads out of the folder. */
  private pathOf(key: string): string {
    const safe = key
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '_')
      .replace(/_+/g, '_')
      .replace(/^_|_$/g, '');
    if (safe === '') throw runtimeError('state key is empty/invalid');
    return join(this.folder, `${safe}.json`);
  }
}

const ID_TRIES = 16;

function approvalFile(id: string): string {
  return `approval_${id}.json`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
