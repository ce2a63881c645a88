import type { WorktreeRecord } from '../../worker/worktrees/worktree-record';

export const RECORD: WorktreeRecord = {
  version: 1,
  host: 'build-7-0a1b2c3d',
  storeId: '/srv/state',
  namespace: 'default',
  taskQueue: 'thermidor',
  workflowId: 'Build/1',
  run: '7d1f2c0e-0000-4000-8000-000000000001',
  slot: 'parts[3]/write',
  epoch: 1,
  repository: '/srv/repository',
  checkout: '/srv/repository',
  folder: '/srv/worktrees/trees/a',
  branch: 'thermidor/a',
  portBase: 20_000,
  createdAt: '2026-11-23T10:00:00.000Z',
};
