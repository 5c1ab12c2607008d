// Command recorder is a server that does nothing but note when each purchase was there to its last byte. It prints its port, answers
// a line on its standard input with the times of all purchases since the last one (microseconds, as JSON), and ends with its input.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"
	"sync"
	"time"
)

const answerFormat = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"

const body = `{"data":{"orderId":"order-1","currency":"USD","price":1,"status":"SUCCESS"},` +
	`"status":"SUCCESS","statusCode":0,"statusMessage":"ok","traceId":"trace-1"}`

var answer = []byte(fmt.Sprintf(answerFormat, len(body), body))

// Nobody is answered before the last of a release is there: what arrives is the sender's doing alone.
const pause = 20 * time.Millisecond

type recorder struct {
	mutex sync.Mutex
	times []float64
}

func (r *recorder) note(at time.Time) {
	if at.IsZero() {
		log.Fatal("got a purchase without a time; expected the kernel to stamp what arrives")
	}
	r.mutex.Lock()
	r.times = append(r.times, float64(at.UnixNano())/1000)
	r.mutex.Unlock()
}

func (r *recorder) take() []float64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	taken := r.times
	r.times = []float64{}
	return taken
}

func (r *recorder) serve(connection *net.TCPConn) {
	defer connection.Close()
	receive, err := stamped(connection)
	if err != nil {
		log.Fatal(err)
	}
	buffer := make([]byte, 64<<10)
	for have := 0; ; {
		count, at, err := receive(buffer[have:])
		if err != nil || count == 0 {
			return
		}
		if have += count; !isWhole(buffer[:have]) {
			continue
		}
		have = 0
		if buffer[0] == 'P' {
			r.note(at)
			time.Sleep(pause)
		}
		if _, err := connection.Write(answer); err != nil {
			return
		}
	}
}

// isWhole tells whether a request is there to its end. None follows before it is answered.
func isWhole(request []byte) bool {
	head, rest, found := bytes.Cut(request, []byte("\r\n\r\n"))
	if !found {
		return false
	}
	for _, line := range bytes.Split(head, []byte("\r\n")) {
		if name, value, _ := bytes.Cut(line, []byte(":")); bytes.EqualFold(name, []byte("Content-Length")) {
			length, err := strconv.Atoi(string(bytes.TrimSpace(value)))
			return err == nil && len(rest) >= length
		}
	}
	return true
}

func main() {
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		log.Fatal(err)
	}
	recorder := &recorder{times: []float64{}}
	go func() {
		for {
			connection, err := listener.AcceptTCP()
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
