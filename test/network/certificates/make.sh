#!/bin/sh
# Makes the certificates of the tests anew: an authority of our own, a service, an expired one, one signed by itself, a client.
# They are trusted by nobody but these tests, and their keys protect nothing.
set -eu
out=$(cd "$(dirname "$0")" && pwd)
cd "$(mktemp -d)"
touch index
cat > ca.cnf <<'CONFIGURATION'
[ca]
default_ca = own
[own]
database = index
new_certs_dir = .
default_md = sha256
rand_serial = yes
unique_subject = no
policy = any
[any]
commonName = supplied
[authority]
basicConstraints = critical,CA:TRUE
subjectKeyIdentifier = hash
[service]
subjectAltName = DNS:orders.partner.test,DNS:localhost,IP:127.0.0.1
[client]
extendedKeyUsage = clientAuth
CONFIGURATION
issue() { # file, subject, extensions, from, to, signed by
  openssl ecparam -name prime256v1 -genkey -noout -out "$1.key.pem"
  openssl req -new -key "$1.key.pem" -subj "/CN=$2" -out "$1.csr"
  signer="-cert authority.pem -keyfile authority.key.pem"
  [ "$6" = authority ] || signer="-selfsign -keyfile $1.key.pem"
  # shellcheck disable=SC2086
  openssl ca -batch -notext -config ca.cnf -extensions "$3" -startdate "$4" -enddate "$5" $signer -in "$1.csr" -out "$1.pem"
}
issue authority 'ordering-harness test authority' authority 20200101000000Z 21200101000000Z itself
issue service orders.partner.test service 20200101000000Z 21200101000000Z authority
issue expired orders.partner.test service 20200101000000Z 20210101000000Z authority
issue self-signed orders.partner.test service 20200101000000Z 21200101000000Z itself
issue client harness-client client 20200101000000Z 21200101000000Z authority
rm authority.key.pem
cp ./*.pem "$out"
cd "$out" && rm -f [0-9A-F]*.pem
