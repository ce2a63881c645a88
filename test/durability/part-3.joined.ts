import { joinFiles } from '../support/join-files';

joinFiles(__dirname, { nth: 3, of: 4 });
