// Command loop opens sockets and, some times over, warms them and writes a purchase to one after the other, as fast as it can.
//
//	loop <host:port> <sockets> <releases>
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

const pause = 100 * time.Millisecond

// What k6 sends for the same purchase.
const orderFormat = "POST /api/v1/orders HTTP/1.1\r\nHost: %s\r\nUser-Agent: ordering-harness\r\nContent-Length: %d\r\n" +
	"Accept: application/json\r\nContent-Type: application/json\r\nX-Api-Key: key\r\n\r\n%s"

type socket struct {
	net.Conn
	reader *bufio.Reader
}

func (s socket) readAnswer() {
	response, err := http.ReadResponse(s.reader, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		log.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		log.Fatalf("got HTTP %d: %v", response.StatusCode, err)
	}
}

// release writes one request to each socket, then reads the answers.
func release(sockets []socket, requests [][]byte) {
	for index, each := range sockets {
		if _, err := each.Write(requests[index]); err != nil {
			log.Fatal(err)
		}
	}
	for _, each := range sockets {
		each.readAnswer()
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: loop <host:port> <sockets> <releases>")
	}
	address, width, releases := os.Args[1], number(os.Args[2]), number(os.Args[3])
	sockets := make([]socket, width)
	reads := make([][]byte, width)
	for index := range sockets {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			log.Fatal(err)
		}
		sockets[index] = socket{connection, bufio.NewReader(connection)}
		reads[index] = []byte(fmt.Sprintf("GET /api/v1/services HTTP/1.1\r\nHost: %s\r\n\r\n", address))
	}
	for count := range releases {
		orders := make([][]byte, width)
		for index := range orders {
			body := fmt.Sprintf(`{"ordersType":"shop","referenceId":"bench-0-%d","quantity":1}`, count*width+index)
			orders[index] = []byte(fmt.Sprintf(orderFormat, address, len(body), body))
		}
		time.Sleep(pause)
		release(sockets, reads)
		release(sockets, orders)
	}
}
