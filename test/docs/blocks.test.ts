import { blocksOfPage, placeOf } from './block';
import { HOW_TO_WRITE, kindOf } from './block-kind';
import { PAGES } from './page';

/** A block that a reader cannot place is neither run nor checked by any of the other tests. */
test.each(PAGES)('%s: each block says what it is', (page) => {
  const unknown = blocksOfPage(page).filter((block) => kindOf(block) === undefined);
  expect(unknown.map((block) => `${placeOf(block)} ${block.text.split('\n')[0]} (${HOW_TO_WRITE})`)).toEqual([]);
});
