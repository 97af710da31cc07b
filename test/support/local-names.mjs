import dns from 'node:dns';

/** Names below `localhost` are this machine, also where the system's resolver does not know it. */
const lookup = dns.lookup;
dns.lookup = (name, ...rest) => lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest);
