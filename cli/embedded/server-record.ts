import { isJsonObject } from '../../plan/text/json';
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
  if (!isJsonObject(value)) return undefined;
  const { port, uiPort, process, binary, startedAt } = value;
  if (!isPort(port) || !isPort(uiPort)) return undefined;
  return {
    ...{ port, uiPort },
    binary: typeof binary === 'string' ? binary : '',
    startedAt: typeof startedAt === 'string' ? startedAt : '',
    ...(isProcessIdentity(process) ? { process } : {}),
  };
}

export function writeServerRecord(path: string, record: ServerRecord): void {
  writeJsonFile(path, record);
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;
}
