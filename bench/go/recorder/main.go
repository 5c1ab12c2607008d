// Command recorder is a server that does nothing but note when each purchase was there to its last byte. It prints its port, answers
// a line on its standard input with the times of all purchases since the last one (microseconds, as JSON), and ends with its input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const answerFormat = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"

const body = `{"data":{"orderId":"order-1","currency":"USD","price":1,"status":"SUCCESS"},` +
	`"status":"SUCCESS","statusCode":0,"statusMessage":"ok","traceId":"trace-1"}`

var answer = []byte(fmt.Sprintf(answerFormat, len(body), body))

// A purchase takes a quote from the shop service first: nobody answers it before the last of a release is there.
const quote = 20 * time.Millisecond

type recorder struct {
	started time.Time
	mutex   sync.Mutex
	times   []float64
}

func (r *recorder) note() {
	micros := float64(time.Since(r.started).Nanoseconds()) / 1000
	r.mutex.Lock()
	r.times = append(r.times, micros)
	r.mutex.Unlock()
}

func (r *recorder) take() []float64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	taken := r.times
	r.times = []float64{}
	return taken
}

func (r *recorder) serve(connection net.Conn) {
	defer connection.Close()
	reader := bufio.NewReaderSize(connection, 8192)
	for {
		method, err := readRequest(reader)
		if err != nil {
			return
		}
		if method == "POST" {
			r.note()
			time.Sleep(quote)
		}
		if _, err := connection.Write(answer); err != nil {
			return
		}
	}
}

// readRequest reads one request whole and returns its method.
func readRequest(reader *bufio.Reader) (string, error) {
	line, err := reader.ReadString('\n')
	if err != nil {
		return "", err
	}
	method, _, _ := strings.Cut(line, " ")
	length := 0
	for {
		header, err := reader.ReadString('\n')
		if err != nil {
			return "", err
		}
		if header == "\r\n" {
			break
		}
		name, value, _ := strings.Cut(header, ":")
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return "", err
			}
		}
	}
	_, err = io.CopyN(io.Discard, reader, int64(length))
	return method, err
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	recorder := &recorder{started: time.Now(), times: []float64{}}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go recorder.serve(connection)
		}
	}()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	encoder := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if err := encoder.Encode(recorder.take()); err != nil {
			log.Fatal(err)
		}
	}
}
