// The Go client of `redocly generate-client`, behind lines of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	api "petstore/api"
	"reflect"
	"strings"
)

type reply struct {
	Status int     `json:"status"`
	Data   any     `json:"data,omitempty"`
	Error  any     `json:"error,omitempty"`
	Link   *string `json:"link"`
}

type call struct {
	Operation string
	Ids       []json.RawMessage
	Query     json.RawMessage
	Body      json.RawMessage
}

var statuses = map[string]int{
	"createPet": 201, "placeOrder": 201, "createWebhook": 201,
	"deletePet": 204, "deleteCategory": 204, "deleteWebhook": 204,
}

// Calls the method that has the name of an operation, each argument read as the type that it declares.
func run(client *api.Client, asked call) (answer reply, err error) {
	name := strings.ToUpper(asked.Operation[:1]) + asked.Operation[1:]
	method := reflect.ValueOf(client).MethodByName(name + "WithHeaders")
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	if !method.IsValid() {
		method = reflect.ValueOf(client).MethodByName(name)
	}
	// The client calls the parameter `type` by another name, as that is a word of Go.
	rest := json.RawMessage(strings.Replace(string(asked.Query), `"type":`, `"type_":`, 1))
	if asked.Body != nil {
		rest = asked.Body
	}
	for n, raw := range append(asked.Ids, rest)[:method.Type().NumIn()-1] {
		argument := reflect.New(method.Type().In(n + 1))
		if err := json.Unmarshal(raw, argument.Interface()); err != nil {
			return answer, err
		}
		arguments = append(arguments, argument.Elem())
	}
	results := method.Call(arguments)
	if stream, isStream := results[0].Interface().(func(func(api.ServerSentEvent, error) bool)); isStream {
		stream(func(_ api.ServerSentEvent, fault error) bool {
			err = fault
			return false
		})
		return answer, err
	}
	err, _ = results[len(results)-1].Interface().(error)
	// Of an answer that is no error, the client does not tell the status.
	answer.Status = 200
	if status, isOther := statuses[asked.Operation]; isOther {
		answer.Status = status
	}
	if len(results) == 3 {
		answer.Data = results[0].Interface()
	}
	if link := results[len(results)-2].FieldByName("Link"); link.IsValid() {
		answer.Link, _ = link.Interface().(*string)
	}
	return answer, err
}

func main() {
	client := api.New(api.Config{ServerURL: os.Args[1], Auth: api.Auth{Bearer: func() string { return os.Args[2] }}})
	input, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for input.More() {
		var asked call
		if err := input.Decode(&asked); err != nil {
			log.Fatal(err)
		}
		answer, err := run(client, asked)
		if refused := (*api.APIError)(nil); errors.As(err, &refused) {
			answer = reply{Status: refused.Status, Error: refused.Body}
		} else if err != nil {
			log.Fatal(err)
		}
		output.Encode(answer)
	}
}
