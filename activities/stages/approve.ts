import type { GateForm } from '../../plan/people/gate';
import { asJsonItems, type Item } from './items/item';
import { flagNumber, flagText, hasFlag, type StageCall } from './stage-call';

const SHOWN_ITEMS = 5;

/**
 * `approve --prompt P [--emit] [--preview-from-stdin --limit N]`: asks for a decision about the items; approved items continue unchanged.
 * `--emit` is the default anyway.
 */
export function approveStage(call: StageCall, items: readonly Item[]): GateForm {
  const limit = flagNumber(call, 'limit', 'previewLimit', 'preview-limit') ?? SHOWN_ITEMS;
  const shown = items.slice(0, Number.isFinite(limit) ? Math.max(0, limit) : SHOWN_ITEMS);
  const preview = hasFlag(call, 'preview-from-stdin', 'previewFromStdin') ? previewOf(shown) : '';
  return { prompt: flagText(call, 'prompt') ?? 'Approve?', items: asJsonItems(items), ...(preview ? { preview } : {}) };
}

function previewOf(items: readonly Item[]): string {
  if (items.length === 0) return '';
  return items.every((item) => typeof item === 'string') ? items.join('\n') : JSON.stringify(items, null, 2);
}
