import fs from 'node:fs';

type Refusal = 'ENOSPC' | 'EROFS';

/** Until the test restores its mocks, the disk below the folder is read-only or full; on a full one a new file can still be created. */
export function breakDisk(folder: string, code: Refusal): void {
  const refuse = (call: string, path: unknown) => Object.assign(new Error(`${code}: no, ${call} '${path}'`), { code });
  const { writeFileSync, rmSync } = fs;
  jest.spyOn(fs, 'writeFileSync').mockImplementation((path, ...rest) => {
    if (!String(path).startsWith(folder)) return writeFileSync(path, ...rest);
    if (code === 'ENOSPC') writeFileSync(path, '');
    throw refuse('write', path);
  });
  jest.spyOn(fs, 'rmSync').mockImplementation((path, ...rest) => {
    if (code === 'EROFS' && String(path).startsWith(folder) && fs.existsSync(path)) throw refuse('unlink', path);
    rmSync(path, ...rest);
  });
}
