import { isProcessIdentity, type ProcessIdentity } from '../../records/locks/process-identity';
import { readJsonFile, writeJsonFile } from './json-file';

/** The content of `server.json`: where the server of this state directory is, or was. */
export interface ServerRecord {
  port: number;
  uiPort: number;
  /** Absent after a clean stop. */
  process?: ProcessIdentity;
  binary: string;
  /** ISO 8601. */
  startedAt: string;
}

export type RunningServer = ServerRecord & { process: ProcessIdentity };

export function serverAddress(server: Pick<ServerRecord, 'port'>): string {
  return `127.0.0.1:${server.port}`;
}

export function readServerRecord(path: string): ServerRecord | undefined {
  const value = readJsonFile(path);
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('port' in value && isPort(value.port) && 'uiPort' in value && isPort(value.uiPort))) return undefined;
  const record: ServerRecord = {
    port: value.port,
    uiPort: value.uiPort,
    binary: 'binary' in value && typeof value.binary === 'string' ? value.binary : '',
    startedAt: 'startedAt' in value && typeof value.startedAt === 'string' ? value.startedAt : '',
  };
  if ('process' in value && isProcessIdentity(value.process)) record.process = value.process;
  return record;
}

export function writeServerRecord(path: string, record: ServerRecord): void {
  writeJsonFile(path, record);
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;
}
