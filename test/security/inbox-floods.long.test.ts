import { missingFiles, testFloods } from './inbox-floods.js';

testFloods([missingFiles(10_000)]);
