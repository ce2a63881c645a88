import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskWorkFolders } from '../../activities/adapters/work-folder/work-folders';
import type { Found } from '../../activities/tool-ports';
import { toolBench } from './tool-use';

/** A step's folder next to a foreign one that has a secret. */

export const files = new DiskWorkFolders();
export const LIMIT = 1000;

export function scene() {
  const { folder, outside } = toolBench();
  writeFileSync(join(outside, 'secret'), 'SECRET');
  return { folder, outside, secret: () => readFileSync(join(outside, 'secret'), 'utf8') };
}

export async function walked(folder: string, path = '.', depth = 9): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of files.walk({ folder, path }, depth, new AbortController().signal)) all.push(found);
  return all;
}
