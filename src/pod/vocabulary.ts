const SOLID_TERMS = 'https://solidcommunity.au/predicates/terms#';
const DATA = 'https://solidcommunity.au/predicates/data#';
const ACL = 'http://www.w3.org/ns/auth/acl#';

/** The names that the client app uses in its documents. */
export const vocabulary = {
  type: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type',
  title: 'http://purl.org/dc/terms/title',
  personalProfileDocument: 'http://xmlns.com/foaf/0.1/PersonalProfileDocument',
  everyone: 'http://xmlns.com/foaf/0.1/Agent',
  resourceId: 'https://solidcommunity.au/predicates/resourceid#',
  logId: 'https://solidcommunity.au/predicates/logid#',
  encKey: `${SOLID_TERMS}encKey`,
  prvKey: `${SOLID_TERMS}prvKey`,
  pubKey: `${SOLID_TERMS}pubKey`,
  iv: `${SOLID_TERMS}iv`,
  salt: `${SOLID_TERMS}salt`,
  keyVersion: `${SOLID_TERMS}keyVersion`,
  path: `${SOLID_TERMS}path`,
  sessionKey: `${SOLID_TERMS}sessionKey`,
  encData: `${SOLID_TERMS}encData`,
  inheritKeyFrom: `${SOLID_TERMS}inheritKeyFrom`,
  sharedPath: `${DATA}path`,
  sharedAccess: `${DATA}accessList`,
  sharedKey: `${DATA}sharedKey`,
  log: `${DATA}log`,
  authorization: `${ACL}Authorization`,
  agent: `${ACL}agent`,
  agentClass: `${ACL}agentClass`,
  agentGroup: `${ACL}agentGroup`,
  origin: `${ACL}origin`,
  accessTo: `${ACL}accessTo`,
  default: `${ACL}default`,
  mode: `${ACL}mode`,
  read: `${ACL}Read`,
  write: `${ACL}Write`,
  append: `${ACL}Append`,
  control: `${ACL}Control`,
} as const;
