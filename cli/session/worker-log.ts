import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log, LogLevel } from '../../activities/log';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { keepOutOfGit } from '../../records/directory/state-folder';
import { stateLayout } from '../../records/directory/state-layout';
import type { PrintLog } from '../terminal';

export type { Log };

/**
 * The log of workers of a state directory: JSON lines under `logs/`, one file for all processes, and the one before it. A log that cannot
 * be written never stops a run.
 */
export function fileLog(stateDir: string, identity: string): Log {
  const path = stateLayout(stateDir).workerLog;
  // Once: a state folder that somebody deletes is not made again for a line of a log.
  let usable = folderFor(path, stateDir);
  return (level, message, fields) => {
    if (!usable || level === 'debug') return;
    try {
      rotate(path);
      appendFileSync(path, lineOf(identity, level, message, fields), { mode: STATE_FILE_MODE });
    } catch {
      usable = false;
    }
  };
}

/** The same lines, for what collects the output of a container. */
export function jsonLog(identity: string, print: PrintLog): Log {
  const printAll = withGaps(print, (message) => lineOf(identity, 'warn', message, undefined));
  return (level, message, fields) => {
    if (level !== 'debug') printAll(lineOf(identity, level, message, fields));
  };
}

/** Says before the next line that is printed how many were left out. */
function withGaps(print: PrintLog, lineFor: (message: string) => string): (line: string) => void {
  let leftOut = 0;
  return (line) => {
    const gap = leftOut === 0 ? '' : lineFor(`${leftOut} lines of the log are left out here, because nobody read it`);
    leftOut = print(`${gap}${line}`) ? 0 : leftOut + 1;
  };
}

function lineOf(worker: string, level: LogLevel, msg: string, fields: Parameters<Log>[2]): string {
  return `${JSON.stringify({ ...fields, time: new Date().toISOString(), level, worker, msg }, writable)}\n`;
}

/** The SDK's lines have errors, which JSON would write as `{}`. */
function writable(_: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message;
  return typeof value === 'bigint' ? String(value) : value;
}

/** Above this size the file becomes `worker.log.1`, which replaces the one of before. */
const ROTATED_AT_BYTES = 16 * 1024 * 1024;

/** If several processes find it too large at once, a later one may move a young file over the old one: only old lines are lost. */
function rotate(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= ROTATED_AT_BYTES) renameSync(path, `${path}.1`);
}

function folderFor(path: string, stateDir: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: STATE_FOLDER_MODE });
    keepOutOfGit(stateDir);
    return true;
  } catch {
    return false;
  }
}

/** A log for people: on stderr, one line for each entry. The SDK's own remarks are only in the file. */
export function printedLog(print: PrintLog, least: LogLevel = 'info'): Log {
  const ranks: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
  const printAll = withGaps(print, (message) => printedLine('warn', message));
  return (level, message, fields) => {
    if (ranks.indexOf(level) < ranks.indexOf(fields !== undefined && 'sdkComponent' in fields ? 'error' : least)) return;
    const more = Object.entries(fields ?? {}).map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    printAll(printedLine(level, `${message}${more.join('')}`));
  };
}

function printedLine(level: LogLevel, text: string): string {
  return `${new Date().toISOString().slice(11, 19)} ${level.padEnd(5)} ${text}\n`;
}

export function both(first: Log, second: Log): Log {
  return (level, message, fields) => {
    first(level, message, fields);
    second(level, message, fields);
  };
}
