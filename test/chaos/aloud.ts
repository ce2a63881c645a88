/** Prints what happens, with the time. */
export function aloud(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** Prints a table as `docs/durability.md` has it, with a column for each number. */
export function printTable(title: string, rows: Readonly<Record<string, number | readonly number[]>>): void {
  const lines = Object.entries(rows).map(([what, count]) => `| ${[what, count].flat().join(' | ')} |`);
  process.stderr.write(`\n${[title, '', ...lines].join('\n')}\n\n`);
}
