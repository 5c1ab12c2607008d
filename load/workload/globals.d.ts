/** What k6 offers beyond @types/k6; the DOM library would promise far more than k6 has. */
declare const console: { log(message: string): void }
