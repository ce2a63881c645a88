import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockPausedRun, openPaused, type PausedRun, pauseRun, releasePausedRun } from '../../../cli/lobster/paused-run';
import { LobsterStateFiles, stateFolder } from '../../../cli/lobster/state-files';
import { decodeToken, encodeToken, kindOfStateKey } from '../../../cli/lobster/token';
import { scratchFolder } from '../../support/scratch-folder';

let folder: string;
let files: LobsterStateFiles;

beforeEach(() => {
  folder = scratchFolder();
  files = new LobsterStateFiles(folder);
});

const STATE: Omit<PausedRun, 'format' | 'createdAt'> = {
  run: 'r-20260101-abcdef',
  gate: 'ship',
  openedAt: '2026-01-01T00:00:00.000Z',
  shownSha256: '0'.repeat(64),
  asks: 'approval',
  step: 'ship',
  server: { root: '/', stateDir: '/s', namespace: 'default', taskQueue: 'thermidor' },
};

const bytes = (token: string): unknown => JSON.parse(Buffer.from(token, 'base64url').toString());
const tokenOf = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64url');

test('a token is base64url of JSON that names a state file', () => {
  const { resumeToken } = pauseRun(files, 'workflow-file', STATE);
  expect(bytes(resumeToken)).toEqual({
    protocolVersion: 1,
    v: 1,
    kind: 'workflow-file',
    stateKey: expect.stringMatching(/^workflow_resume_[0-9a-f-]{36}$/),
  });
});

test('an approval has an id of 8 hexadecimal digits, a question none', () => {
  expect(pauseRun(files, 'workflow-file', STATE).approvalId).toMatch(/^[0-9a-f]{8}$/);
  expect(pauseRun(files, 'workflow-file', { ...STATE, asks: 'input' }).approvalId).toBeUndefined();
});

test.each([
  ['no base64 of JSON', '!!', 'Invalid token'],
  ['another protocol', tokenOf({ protocolVersion: 2, v: 1, kind: 'workflow-file', stateKey: 'k' }), 'Unsupported protocol version'],
  ['another version', tokenOf({ protocolVersion: 1, v: 2, kind: 'workflow-file', stateKey: 'k' }), 'Unsupported token version'],
  ['another kind', tokenOf({ protocolVersion: 1, v: 1, kind: 'x', stateKey: 'k' }), 'Invalid token'],
  ['no state', tokenOf({ protocolVersion: 1, v: 1, kind: 'workflow-file' }), 'Invalid workflow token'],
  ['no object', tokenOf([1]), 'Invalid token'],
])('a token that is %s is a parse error', (_what, token, message) => {
  expect(() => decodeToken(token)).toThrow(expect.objectContaining({ type: 'parse_error', message }));
});

test('a token reads back, and a key tells its kind', () => {
  const token = { kind: 'pipeline-resume', stateKey: 'pipeline_resume_1' } as const;
  expect(decodeToken(encodeToken(token))).toEqual(token);
  expect(kindOfStateKey('pipeline_resume_1')).toBe('pipeline-resume');
  expect(kindOfStateKey('workflow_resume_1')).toBe('workflow-file');
});

test('state files are their owner’s alone, and an id leads to its state', () => {
  const { resumeToken, approvalId = '' } = pauseRun(files, 'workflow-file', STATE);
  const { stateKey } = decodeToken(resumeToken);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(files.keyOfApproval(approvalId)).toBe(stateKey);
  expect(openPaused(files, stateKey, 'workflow-file').paused).toMatchObject(STATE);
});

test('removing a state removes its id', () => {
  const { resumeToken } = pauseRun(files, 'workflow-file', STATE);
  files.remove(decodeToken(resumeToken).stateKey);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['workflow_resume_1', 'workflow-resume_1'],
  ['workflow-resume_1', 'workflow_resume_1'],
])('a file %s is found by the key %s, and goes with every id that leads to it', (onDisk, asked) => {
  files.write(onDisk, { format: 'thermidor.lobster-resume.v1', ...STATE, createdAt: STATE.openedAt });
  for (const key of [onDisk, asked]) files.giveApprovalId(key);
  expect(kindOfStateKey(asked)).toBe('workflow-file');
  expect(openPaused(files, files.keyOnDisk(asked), 'workflow-file').paused).toMatchObject(STATE);
  files.remove(files.keyOnDisk(asked));
  expect(readdirSync(folder)).toEqual([]);
});

test('a key of a pipe has one prefix, and a state that is nowhere keeps its key', () => {
  files.write('pipeline_resume_1', {});
  expect(files.keyOnDisk('pipeline-resume_1')).toBe('pipeline-resume_1');
  expect(files.keyOnDisk('workflow-resume_2')).toBe('workflow-resume_2');
});

test('a state that is gone, or not ours, is a runtime error', () => {
  const missing = (): unknown => openPaused(files, 'workflow_resume_x', 'workflow-file');
  expect(missing).toThrow(expect.objectContaining({ type: 'runtime_error', message: 'Workflow resume state not found' }));
  writeFileSync(join(folder, 'pipeline_resume_y.json'), '{"pipeline": []}');
  expect(() => openPaused(files, 'pipeline_resume_y', 'pipeline-resume')).toThrow('Invalid pipeline resume state');
});

test('a token is nobody’s while a living process has it, and anybody’s if that one died', () => {
  const { stateKey } = decodeToken(pauseRun(files, 'workflow-file', STATE).resumeToken);
  const handle = openPaused(files, stateKey, 'workflow-file');
  lockPausedRun(files, handle);
  expect(() => openPaused(files, stateKey, 'workflow-file')).toThrow('Workflow resume state not found');
  files.write(stateKey, { ...handle.paused, inHand: { pid: process.pid, began: 'another process of that id' } });
  expect(openPaused(files, stateKey, 'workflow-file').paused.inHand).toBeDefined();
  releasePausedRun(files, handle);
  expect(openPaused(files, stateKey, 'workflow-file').paused.inHand).toBeUndefined();
});

test.each(['../../etc/passwd', '/etc/passwd', '..'])('a key leads to no file elsewhere: %s', (key) => {
  files.write(key, { mine: true });
  expect(readdirSync(folder)).toHaveLength(1);
  expect(existsSync(join(folder, '..', 'passwd.json'))).toBe(false);
});

test('the folder is LOBSTER_STATE_DIR, else below the home folder', () => {
  expect(stateFolder({ LOBSTER_STATE_DIR: ' /x ' })).toBe('/x');
  expect(stateFolder({ LOBSTER_STATE_DIR: '  ' })).toMatch(/\.lobster[/\\]state$/);
});
