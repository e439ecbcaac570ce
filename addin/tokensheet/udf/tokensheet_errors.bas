Attribute VB_Name = "tokensheet_errors"
Option Explicit
Option Private Module

' Error values for the functions in cells.
' Python cannot send one, so it marks a text instead: "#TS!N/A reason". TS_RESULT turns each marked text
' of an answer into the error value and keeps the reasons, which =WHY(cell) tells.

Private Const MARK As String = "#TS!"
Private Const MOST_CELLS As Long = 10000
Private Const NO_REASON As String = "no reason is kept for this cell; calculate it again"

' Address of a formula's cell -> its reasons: a Collection of texts by "row,column" within the answer.
Private Kept As Collection

Public Function TS_RESULT(ByVal answer As Variant) As Variant
    Dim reasons As New Collection
    If Not IsArray(answer) Then
        answer = ErrorOf(answer, reasons, "0,0")
    ElseIf IsTable(answer) Then
        ConvertTable answer, reasons
    Else
        ConvertRow answer, reasons
    End If
    Keep reasons
    TS_RESULT = answer
End Function

' Python or the connection to it broke: the last line of what it says is the reason.
Public Function TS_FAILED(ByVal message As String) As Variant
    Dim reasons As New Collection, text As String
    text = message
    If Left$(text, Len(MARK)) <> MARK Then text = MARK & "VALUE " & TS_LAST_LINE(text)
    TS_FAILED = ErrorOf(text, reasons, "0,0")
    Keep reasons
End Function

' Whether WHY is asked about a cell, not about a function's name and its arguments.
Public Function TS_ASKED(ByRef target As Variant, ByVal further As Long) As Boolean
    If further >= 0 Or Not IsObject(target) Then Exit Function
    If TypeOf target Is Range Then TS_ASKED = (VarType(target.Cells(1, 1).Value) <> vbString)
End Function

' The reason of an error value in a cell; empty for a cell that holds none.
Public Function TS_REASON(ByVal target As Range) As String
    Dim cell As Range, first As Range
    Set cell = target.Cells(1, 1)
    If Not IsError(cell.Value) Then Exit Function
    TS_REASON = NO_REASON
    Set first = FormulaCell(cell)
    On Error Resume Next
    TS_REASON = Kept.Item(first.Address(External:=True)).Item( _
        CStr(cell.Row - first.Row) & "," & CStr(cell.Column - first.Column))
End Function

Private Sub ConvertTable(ByRef answer As Variant, ByVal reasons As Collection)
    Dim i As Long, j As Long
    For i = LBound(answer, 1) To UBound(answer, 1)
        For j = LBound(answer, 2) To UBound(answer, 2)
            If VarType(answer(i, j)) = vbString Then
                answer(i, j) = ErrorOf(answer(i, j), reasons, _
                    CStr(i - LBound(answer, 1)) & "," & CStr(j - LBound(answer, 2)))
            End If
        Next j
    Next i
End Sub

Private Sub ConvertRow(ByRef answer As Variant, ByVal reasons As Collection)
    Dim j As Long
    For j = LBound(answer) To UBound(answer)
        answer(j) = ErrorOf(answer(j), reasons, "0," & CStr(j - LBound(answer)))
    Next j
End Sub

' The error value of a marked text; anything else as it is.
Private Function ErrorOf(ByVal value As Variant, ByVal reasons As Collection, ByVal place As String) As Variant
    Dim word As String, reason As String, gap As Long
    ErrorOf = value
    If VarType(value) <> vbString Then Exit Function
    If Left$(value, Len(MARK)) <> MARK Then Exit Function
    word = Mid$(value, Len(MARK) + 1)
    gap = InStr(word, " ")
    If gap > 0 Then
        reason = Mid$(word, gap + 1)
        word = Left$(word, gap - 1)
    End If
    reasons.Add reason, place
    Select Case word
        Case "NULL": ErrorOf = CVErr(2000)
        Case "DIV/0": ErrorOf = CVErr(2007)
        Case "REF": ErrorOf = CVErr(2023)
        Case "NAME": ErrorOf = CVErr(2029)
        Case "NUM": ErrorOf = CVErr(2036)
        Case "N/A": ErrorOf = CVErr(2042)
        Case Else: ErrorOf = CVErr(2015)
    End Select
End Function

' Remembers the reasons of the calling cell; a macro that calls has none.
Private Sub Keep(ByVal reasons As Collection)
    Dim key As String
    On Error Resume Next
    key = Application.Caller.Cells(1, 1).Address(External:=True)
    If key = "" Then Exit Sub
    If Kept Is Nothing Then Set Kept = New Collection
    If Kept.Count >= MOST_CELLS Then Set Kept = New Collection
    Kept.Remove key
    If reasons.Count > 0 Then Kept.Add reasons, key
End Sub

' Where the formula stands whose answer spills or spreads into this cell.
Private Function FormulaCell(ByVal cell As Range) As Range
    Dim found As Object
    Set FormulaCell = cell
    Set found = cell
    On Error Resume Next
    If cell.HasArray Then Set FormulaCell = cell.CurrentArray.Cells(1, 1)
    If found.HasSpill Then Set FormulaCell = found.SpillParent
End Function

Private Function IsTable(ByRef answer As Variant) As Boolean
    Dim columns As Long
    columns = -1
    On Error Resume Next
    columns = UBound(answer, 2)
    IsTable = (Err.Number = 0)
End Function

' The last line of what Python says, which names the failure.
Public Function TS_LAST_LINE(ByVal message As String) As String
    Dim text As String
    text = Replace(message, vbCr, "")
    Do While Right$(text, 1) = vbLf
        text = Left$(text, Len(text) - 1)
    Loop
    TS_LAST_LINE = Mid$(text, InStrRev(text, vbLf) + 1)
End Function
