import { type Figure, figureOf, median } from '../figure';
import type { StoreCase } from './cases';

/** Times from the start of a run to its end by the server's clock, one for each round, in milliseconds. */
export interface StoreSamples {
  case: StoreCase;
  folder: number[];
  database: number[];
}

/** What a run takes with its records in a database, next to the same run with its records in a folder. */
export function storeFigures(samples: readonly StoreSamples[]): Figure[] {
  return samples.map(({ case: { name, aim }, folder, database }) =>
    figureOf({
      ...{ bench: 'store', case: name, metric: 'wall-by-folder', unit: 's', aim },
      ...{ ours: median(database) / 1000, reference: median(folder) / 1000 },
    }),
  );
}
