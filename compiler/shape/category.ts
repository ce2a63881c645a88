import { CATEGORIES, type Category } from '../../plan/people/category';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean, listWords } from '../diagnostics/suggest';
import type { Entry } from '../read/node';
import { readMapping } from './read-rows';
import type { CategorySource } from './source';
import { mappingOf, namesOf } from './values';

/** Reads `requires_approval`: categories, each with its approvers if they are written. */
export function readRequiresApproval(entry: Entry, report: Report): Map<Category, CategorySource> {
  const found = new Map<Category, CategorySource>();
  if (entry.value.kind !== 'mapping') {
    if (entry.value.kind === 'sequence' && entry.value.items.length === 0)
      report('shape.out-of-range', entry.value.at, `"${entry.key}" is empty`, 'name a category, or remove the key');
    for (const { value, at } of namesOf(entry, report) ?? []) {
      const category = categoryOf(value, at, report);
      if (category) found.set(category, nothingOf(at));
    }
    return found;
  }
  for (const item of entry.value.entries) {
    const category = categoryOf(item.key, item.keyAt, report);
    const policy = item.value.kind === 'scalar' && item.value.value === null ? nothingOf(item.keyAt) : readCategoryPolicy(item, report);
    if (category) found.set(category, policy);
  }
  return found;
}

/** Reads `{move_money: [transfer]}` of an agent. */
export function readToolCategories(entry: Entry, report: Report): Map<Category, { value: string; at: SourceSpan }[]> {
  const found = new Map<Category, { value: string; at: SourceSpan }[]>();
  for (const item of mappingOf(entry, report, 'a mapping of categories to tools')?.entries ?? []) {
    const category = categoryOf(item.key, item.keyAt, report);
    const tools = namesOf(item, report);
    if (item.value.kind === 'sequence' && item.value.items.length === 0)
      report('shape.out-of-range', item.value.at, `"${item.key}" lists no tool`, 'name a tool, or remove the category');
    if (category && tools) found.set(category, tools);
  }
  return found;
}

function readCategoryPolicy(entry: Entry, report: Report): CategorySource {
  const takes = 'a mapping such as {approvers: [chairman]}, or empty';
  return readMapping(entry, 'category', { report }, { takes }) ?? nothingOf(entry.keyAt);
}

function nothingOf(at: SourceSpan): CategorySource {
  return { node: { kind: 'mapping', at, entries: [] } };
}

function categoryOf(word: string, at: SourceSpan, report: Report): Category | undefined {
  const category = CATEGORIES.find((known) => known === word);
  if (category === undefined)
    report(
      'shape.unknown-value',
      at,
      `"${word}" is not a category of action`,
      didYouMean(word, CATEGORIES, `known: ${listWords(CATEGORIES)}`),
    );
  return category;
}
