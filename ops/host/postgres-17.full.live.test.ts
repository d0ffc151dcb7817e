import { testsOnPostgres } from '../testing/postgres-release-tests.js';

testsOnPostgres('17');
